#include <algorithm>
#include <array>
#include <optional>

#include "base/streams.h"
#include "formats/pae.h"
#include "formats/pae/record.h"
#include "formats/pae/signs.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using pae::Record;
using pae::RecordLines;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_mark(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  return head;
}

/// A source with its peeked first bytes put back.
class ResumedSource final : public ByteSource {
 public:
  ResumedSource(std::string_view head, ByteSource& rest) : head_(head), rest_(rest) {}
  Result<std::size_t> read(std::span<char> into) override {
    if (head_.empty()) return rest_.read(into);
    const std::size_t count = std::min(into.size(), head_.size());
    std::copy_n(head_.begin(), count, into.begin());
    head_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view head_;
  ByteSource& rest_;
};

/// Turns records into pieces. Delays one record, because only at the end it is known whether the first is the only one.
class Delivery {
 public:
  Delivery(const ReadOptions& options, PieceSink& sink) : options_(options), sink_(sink) {}

  /// false: the sink wants no more.
  bool take(Record&& record) {
    ++seen_;
    const bool more = deliver_waiting(false);
    waiting_ = std::move(record);
    return more;
  }
  bool finish() { return deliver_waiting(seen_ == 1); }
  bool skip(Error error) {
    if (!deliver_waiting(false)) return false;
    ++seen_;
    ++number_;
    error.place.file = options_.file;
    if (error.place.record.empty()) error.place.record = record_id(options_, number_);
    return sink_.skip(std::move(error));
  }
  [[nodiscard]] std::size_t pieces() const { return pieces_; }

 private:
  bool deliver_waiting(bool only) {
    std::optional<Record> record;
    record.swap(waiting_);
    return !record || deliver(std::move(*record), only);
  }
  bool deliver(Record&& record, bool only);
  void place(Diagnostic& remark, const Record& record, const std::string& id) const {
    record.locate(remark.place);
    remark.place.file = options_.file;
    remark.place.record = id;
  }

  const ReadOptions& options_;
  PieceSink& sink_;
  PaeParser parser_;
  Diagnostics warnings_;
  std::optional<Record> waiting_;
  std::size_t seen_ = 0;
  std::size_t number_ = 0;
  std::size_t pieces_ = 0;
};

bool Delivery::deliver(Record&& record, bool only) {
  ++number_;
  ++pieces_;
  Piece piece;
  piece.id = record.id.empty() ? record_id(options_, number_, only) : std::move(record.id);
  piece.format = "pae";
  piece.metadata = std::move(record.metadata);
  if (options_.keep_source) piece.source_text = std::move(record.source_text);

  warnings_.clear();
  Voice voice;
  const PaeOptions how{options_.expand_repeats, false};
  auto parsed = parser_.parse(record.fields(), how, voice, warnings_);
  for (Diagnostic& remark : warnings_) {
    place(remark, record, piece.id);
    sink_.warn(std::move(remark));
  }
  if (parsed) {
    voice.name = std::move(record.voice);
    piece.voices.push_back(std::move(voice));
  } else if (parsed.error().code == "pae-no-notation") {
    Error remark = std::move(parsed.error());
    remark.message = "there is no notation; the record is kept without a melody";
    place(remark, record, piece.id);
    sink_.warn(std::move(remark));
  } else {
    place(parsed.error(), record, piece.id);
    return sink_.skip(std::move(parsed.error()));
  }
  return sink_.piece(std::move(piece));
}

Result<void> read_lines(ByteSource& in, Delivery& delivery) {
  LineReader reader(in, limits::kRecordBytes);
  RecordLines records;
  std::string_view line;
  bool junk = false;
  for (;;) {
    const auto more = reader.next(line);
    const auto number = static_cast<std::uint32_t>(reader.number());
    if (!more) {
      if (more.error().code != "line-too-long") return fail(more.error());
      if (!delivery.skip(more.error())) return {};
      continue;
    }
    if (!*more) break;
    auto outcome = records.feed(number == 1 ? without_mark(line) : line, number);
    for (auto& record : outcome.done) {
      if (record && !delivery.take(std::move(*record))) return {};
    }
    Place place;
    place.line = number;
    if (records.too_large()) {
      records.drop();
      if (!delivery.skip(Error{"pae-record-too-large", "a record of more than 4 MB", place, {}})) return {};
    }
    if (outcome.fate == RecordLines::Fate::junk) {
      junk = true;
      if (!delivery.skip(Error{"pae-line-unknown", "this line is neither a field (@clef:) nor an incipit (%G-2 ...)",
                               place, "every incipit needs its clef before it"})) {
        return {};
      }
    }
  }
  if (auto last = records.finish(); last && !delivery.take(std::move(*last))) return {};
  if (!delivery.finish()) return {};
  if (junk && delivery.pieces() == 0) {
    return fail("pae-unrecognised", "no incipit in Plaine & Easie Code was found", {},
                "fields look like @clef:G-2, incipits on one line like %G-2@c 'CDE");
  }
  return {};
}

/// Extracts the objects from JSON text, also within arrays, with only one in memory.
class JsonCutter {
 public:
  explicit JsonCutter(Delivery& delivery) : delivery_(delivery) {}

  /// false: the sink wants no more.
  bool feed(std::string_view chunk) {
    return std::all_of(chunk.begin(), chunk.end(), [this](char c) { return feed(c); });
  }
  bool finish() {
    if (depth_ == 0) return true;
    return delivery_.skip(Error{"pae-json", "a JSON object is not closed", place(), {}});
  }

 private:
  bool feed(char c) {
    if (c == '\n') ++line_;
    if (depth_ == 0) {
      if (c != '{') return true;  // commas, white space, brackets of the array around them
      begin_ = line_;
      object_.clear();
      too_large_ = false;
    }
    if (object_.size() >= limits::kRecordBytes) too_large_ = true;
    if (!too_large_) object_.push_back(c);
    if (in_string_) {
      const bool closes = c == '"' && !escaped_;
      escaped_ = c == '\\' && !escaped_;
      in_string_ = !closes;
      return true;
    }
    if (c == '"') in_string_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    deepest_ = std::max(deepest_, depth_);
    return depth_ > 0 || close();
  }
  bool close() {
    const bool too_deep = deepest_ > static_cast<std::size_t>(limits::kNesting);
    deepest_ = 0;
    if (too_large_) return delivery_.skip(Error{"pae-record-too-large", "a record of more than 4 MB", place(), {}});
    if (too_deep) return delivery_.skip(Error{"pae-nesting", "JSON nested too deeply", place(), {}});
    auto record = pae::read_json_object(object_, begin_);
    return record ? delivery_.take(std::move(*record)) : delivery_.skip(std::move(record.error()));
  }
  [[nodiscard]] Place place() const {
    Place where;
    where.line = begin_;
    return where;
  }

  Delivery& delivery_;
  std::string object_;
  std::size_t depth_ = 0;
  std::size_t deepest_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t begin_ = 1;
  bool in_string_ = false;
  bool escaped_ = false;
  bool too_large_ = false;
};

Result<void> read_json(ByteSource& in, Delivery& delivery) {
  JsonCutter cutter(delivery);
  std::array<char, std::size_t{64} * 1024> chunk;
  for (;;) {
    auto got = in.read(chunk);
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) break;
    if (!cutter.feed(std::string_view(chunk.data(), *got))) return {};
  }
  if (cutter.finish()) (void)delivery.finish();
  return {};
}

int recognise_json(std::string_view head) {
  const bool ours =
      head.find("\"data\"") != std::string_view::npos &&
      (head.find("\"clef\"") != std::string_view::npos || head.find("\"keysig\"") != std::string_view::npos ||
       head.find("\"timesig\"") != std::string_view::npos);
  return ours && head.find("\"notes\"") == std::string_view::npos ? 85 : 0;
}

}  // namespace

int recognise_pae(std::string_view head) {
  head = without_mark(head);
  if (pae::is_json(head)) return recognise_json(head);
  // The first significant line decides; @-lines may begin with fields of any name, so these are skipped.
  bool other_fields = false;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
    const std::string_view line = pae::trimmed(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.empty() || line.front() == '#') continue;
    if (const auto field = pae::read_field_line(line)) {
      if (field->name == "clef" || field->name == "data" || field->name == "keysig" || field->name == "timesig")
        return 95;
      other_fields = true;
      continue;
    }
    if (other_fields) return 0;
    if (!pae::is_single_line(line)) return 0;
    return line.front() == '%' || line.front() == ';' ? 85 : 40;
  }
  return 0;
}

Result<void> read_pae(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  std::array<char, 4096> head;
  std::size_t size = 0;
  while (size < head.size()) {
    auto got = in.read(std::span<char>(head).subspan(size));
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) break;
    size += *got;
  }
  const std::string_view beginning(head.data(), size);
  ResumedSource source(beginning, in);
  Delivery delivery(options, sink);
  return pae::is_json(without_mark(beginning)) ? read_json(source, delivery) : read_lines(source, delivery);
}

}  // namespace rondo
