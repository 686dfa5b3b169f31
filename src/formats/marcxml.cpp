#include <algorithm>

#include "base/streams.h"
#include "formats/marc/xml_record.h"
#include "formats/marc_record.h"
#include "formats/readers.h"
#include "formats/text_encoding.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using marc::XmlRecordParser;
using Outcome = XmlRecordParser::Outcome;

/// Splits a stream of XML into records, in memory bounded by the largest one.
class XmlRecordStream : private StreamWindow {
 public:
  using StreamWindow::StreamWindow;

  enum class Next : std::uint8_t { record, broken, end };
  /// The next record. Its views are valid until the next call. `broken`: see `problem`; the stream continues after it.
  [[nodiscard]] Result<Next> next(marc::Record& record);
  [[nodiscard]] const Diagnostic& problem() const { return problem_; }
  [[nodiscard]] bool repaired() const { return parser_.repaired(); }

 private:
  [[nodiscard]] Result<bool> read_more();
  [[nodiscard]] Result<bool> find_record();
  [[nodiscard]] Result<bool> skip_past(std::string_view terminator);
  [[nodiscard]] Result<Next> give_up(std::string code, std::string message, std::size_t at, bool lookahead);

  std::size_t lines_ = 0;  ///< line ends before the buffer
  XmlRecordParser parser_;
  Diagnostic problem_;
  // An unclosed comment makes everything after it look like one record. We then look for records inside it, but only a
  // limited number of times, to avoid quadratic time.
  int lookaheads_left_ = 16;
  bool recovering_ = false;  ///< after a broken record: the next start tag counts, even inside a comment
};

/// Reads more; false at the end of the input.
Result<bool> XmlRecordStream::read_more() {
  if (!ended_) lines_ += static_cast<std::size_t>(std::count(buffer_.data(), buffer_.data() + begin_, '\n'));
  return fill();
}

/// Drops everything up to the terminator, however far it is.
Result<bool> XmlRecordStream::skip_past(std::string_view terminator) {
  for (;;) {
    const std::size_t found = rest().find(terminator);
    if (found != std::string_view::npos) {
      begin_ += found + terminator.size();
      return true;
    }
    begin_ = end_ - std::min(terminator.size() - 1, rest().size());
    auto more = read_more();
    if (!more || !*more) return more;
  }
}

/// Moves to the < of the next start tag called record; false when there is none.
Result<bool> XmlRecordStream::find_record() {
  constexpr std::size_t kName = 256;  // enough for any name with its prefix
  for (;;) {
    const std::size_t found = rest().find('<');
    begin_ = found == std::string_view::npos ? end_ : begin_ + found;
    if (rest().size() < kName && !ended_) {
      auto more = read_more();
      if (!more) return more;
      continue;
    }
    if (rest().empty()) return false;
    if (!recovering_ && (rest().starts_with("<!--") || rest().starts_with("<![CDATA["))) {
      auto more = skip_past(rest()[2] == '-' ? "-->" : "]]>");
      if (!more || !*more) return more;
      continue;
    }
    const std::string_view tag = rest().substr(1, kName);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
    if (marc::local_name(name) == "record") {
      recovering_ = false;
      return true;
    }
    ++begin_;
  }
}

Result<XmlRecordStream::Next> XmlRecordStream::next(marc::Record& record) {
  auto found = find_record();
  if (!found) return fail(std::move(found.error()));
  if (!*found) return Next::end;
  for (;;) {
    const auto parsed = parser_.parse(buffer_.data() + begin_, end_ - begin_, record);
    if (parsed.outcome == Outcome::complete) {
      if (parsed.size > limits::kRecordBytes) break;
      begin_ += parsed.size;
      return Next::record;
    }
    if (parsed.outcome == Outcome::broken) {
      return give_up("marcxml-malformed", "the record is not well-formed XML: " + parser_.problem(), parsed.size,
                     false);
    }
    const std::size_t had = end_ - begin_;
    if (had > limits::kRecordBytes) break;
    // At least doubles the buffer, so that a large record is not parsed from its beginning too often.
    Result<bool> more = true;
    while (more && *more && end_ - begin_ < 2 * had) more = read_more();
    if (!more) return fail(std::move(more.error()));
    if (end_ - begin_ == had) return give_up("marcxml-truncated", "the file ends inside this record", 0, true);
  }
  return give_up("record-too-large",
                 "a record of more than " + std::to_string(limits::kRecordBytes) + " bytes, or one that never ends", 0,
                 true);
}

/// Abandons the record that begins here because of a problem at byte `at`; continues with the next likely record.
Result<XmlRecordStream::Next> XmlRecordStream::give_up(std::string code, std::string message, std::size_t at,
                                                       bool lookahead) {
  const std::string_view before = std::string_view(buffer_).substr(0, begin_ + at);
  Place place;
  place.line =
      static_cast<std::uint32_t>(lines_ + 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')));
  problem_ = {std::move(code), std::move(message), std::move(place), {}};
  recovering_ = true;
  if (lookahead && lookaheads_left_-- <= 0) {
    begin_ = end_;
  } else {
    ++begin_;
  }
  return Next::broken;
}

/// The head as UTF-8, to look for words in it.
std::string readable_head(std::string_view head) {
  const XmlEncoding found = xml_encoding(head);
  std::string text;
  append_as_utf8(text, head.substr(found.mark), found.encoding.value_or(TextEncoding::utf8));
  return text;
}

}  // namespace

int recognise_marcxml(std::string_view head) {
  const std::string text = readable_head(head);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') return 0;
  const auto has = [&text](std::string_view word) { return text.find(word) != std::string::npos; };
  if (!has("record") && !has("collection")) return 0;
  if (has("http://www.loc.gov/MARC21/slim") || has("info:lc/xmlns/marcxchange")) return 98;
  return has("datafield") && has("subfield") ? 90 : 0;
}

Result<void> read_marcxml(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  XmlUtf8Source source(in);
  XmlRecordStream stream(source);
  marc::PieceMaker maker("marcxml", options, sink);
  marc::Record record;
  Diagnostics remarks;
  std::size_t number = 0;
  for (;;) {
    auto next = stream.next(record);
    if (!next) {
      next.error().place.file = options.file;
      return fail(std::move(next.error()));
    }
    if (*next == XmlRecordStream::Next::end) break;
    ++number;
    if (*next == XmlRecordStream::Next::broken) {
      Diagnostic why = stream.problem();
      why.place.file = options.file;
      why.place.record = record_id(options, number);
      if (!sink.skip(std::move(why))) return {};
      continue;
    }
    remarks.clear();
    if (stream.repaired()) {
      remarks.push_back({"marcxml-bad-utf8",
                         "bytes that are not UTF-8 were replaced",
                         {},
                         "declare the file's encoding in its first line, or convert it to UTF-8"});
    }
    if (!maker.deliver(record, number, remarks)) return {};
  }
  if (number == 0) {
    Place place;
    place.file = options.file;
    return fail("marcxml-no-records", "there is no <record> in this file", std::move(place));
  }
  maker.finish();
  return {};
}

}  // namespace rondo
