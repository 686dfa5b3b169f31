#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "formats/marc_record.h"

namespace rondo::marc {

/// Reads the small vocabulary of MARCXML (record, leader, controlfield, datafield, subfield, with any namespace
/// prefix) directly from a buffer. We use our own parser because it builds no tree: one pass over the bytes and no
/// allocation for a record of ordinary size. It supports comments, CDATA, processing instructions, entities, both kinds
/// of quotes, matching tags, and elements of other vocabularies in between.
class XmlRecordParser {
 public:
  enum class Outcome : std::uint8_t {
    complete,    ///< `record` is filled; its views stay valid until the buffer changes or the next call
    incomplete,  ///< the buffer ends before the record does
    broken,      ///< not well-formed: `problem` says what
  };
  struct Parsed {
    Outcome outcome = Outcome::incomplete;
    std::size_t size = 0;  ///< complete: bytes of the record; broken: where
  };

  /// `text` begins with the < of a start tag called record. If that record is the envelope of a protocol (OAI-PMH,
  /// SRU), the inner one is read. The buffer is changed (entities are resolved in place), but only when the record is
  /// complete.
  [[nodiscard]] Parsed parse(char* text, std::size_t size, Record& record);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The record of the last call held bytes that are not UTF-8; they were replaced.
  [[nodiscard]] bool repaired() const { return repaired_; }

 private:
  enum class Element : std::uint8_t { other, record, leader, control_field, data_field, subfield };
  struct Open {
    std::string_view name;
    Element element = Element::other;
  };

  [[nodiscard]] Outcome markup();
  [[nodiscard]] Outcome start_tag();
  [[nodiscard]] Outcome attributes(bool& closed);
  [[nodiscard]] Outcome attribute();
  [[nodiscard]] Outcome opened(std::size_t tag_at, std::string_view name, bool closed);
  [[nodiscard]] Outcome end_tag();
  [[nodiscard]] Outcome skip_past(std::string_view terminator);
  [[nodiscard]] Outcome broken(std::string what);
  void close(std::size_t text_end);
  void resolve_texts(std::string_view record);
  void resolve(std::string_view& text, bool escapes, bool utf8);
  [[nodiscard]] std::string_view view(std::size_t from, std::size_t to) const { return {text_ + from, to - from}; }

  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< of the record that is read: not 0 when that is an inner one
  Record* record_ = nullptr;
  std::vector<Open> open_;
  int tag_ = 0;  ///< attributes of the start tag just read
  char code_ = ' ';
  std::size_t text_from_ = 0;  ///< of the leader, control field or subfield that is open
  bool plain_ = true;          ///< no markup within any text so far

  std::deque<std::string> replaced_;  ///< texts that were not UTF-8
  std::string problem_;
  bool repaired_ = false;
};

/// The part of a qualified name after the colon.
[[nodiscard]] std::string_view local_name(std::string_view name);

}  // namespace rondo::marc
