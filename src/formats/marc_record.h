#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/pae.h"
#include "rondo/formats/format.h"

/// Shared by MARCXML and binary MARC: a record, and its pieces.
namespace rondo::marc {

struct Subfield {
  char code = ' ';
  std::string_view text;
};

struct Field {
  int tag = 0;              ///< 1 to 999; kOtherTag for tags that are no number
  std::string_view text;    ///< of a control field (001 to 009)
  std::uint32_t first = 0;  ///< its part of Record::subfields
  std::uint32_t count = 0;
};

inline constexpr int kOtherTag = 0;
/// The tag as a number: "031" is 31.
[[nodiscard]] int tag_number(std::string_view tag);

/// A record as views of UTF-8 text that its reader owns.
struct Record {
  std::string_view leader;
  std::vector<Field> fields;
  std::vector<Subfield> subfields;

  void clear();
  [[nodiscard]] std::span<const Subfield> of(const Field& field) const {
    return std::span<const Subfield>(subfields).subspan(field.first, field.count);
  }
  [[nodiscard]] const Field* find(int tag) const;
};

struct Incipit;

/// Makes pieces from records, one for each incipit: 031 of MARC 21, 036 of UNIMARC (docs/formats/marc.md has the
/// mapping). Counts the records without incipits. Not thread-safe.
class PieceMaker {
 public:
  /// `format` is the name of the format, "marcxml". Options and sink must outlive it.
  PieceMaker(std::string_view format, const ReadOptions& options, PieceSink& sink)
      : format_(format), options_(options), sink_(sink) {}

  /// Hands the incipits of record `number` (from 1) to the sink. `remarks` are warnings from decoding it; they are
  /// forwarded, with file and record added, if it has an incipit. false: the sink asks to stop.
  [[nodiscard]] bool deliver(const Record& record, std::size_t number, Diagnostics& remarks);
  /// After the last record: one warning that counts the records without an incipit, if there are any.
  void finish();

 private:
  [[nodiscard]] bool piece(const Incipit& incipit, Piece&& piece);
  [[nodiscard]] std::string piece_id(const std::string& record_id, const Incipit& incipit);
  [[nodiscard]] bool parse(const Incipit& incipit, Piece& piece);
  void warn(std::string code, std::string message, const std::string& record, std::string field = {},
            std::string hint = {});

  std::string_view format_;
  const ReadOptions& options_;
  PieceSink& sink_;
  PaeParser parser_;
  Diagnostics warnings_;
  std::unordered_map<std::string, std::size_t> used_;  ///< how often each id occurred in the current record
  std::size_t records_ = 0;
  std::size_t without_ = 0;
};

}  // namespace rondo::marc
