// The reader of Humdrum **kern: splits a file into records and reads a piece from each. See docs/formats/kern.md.

#include "base/streams.h"
#include "formats/kern/reference.h"
#include "formats/kern/score.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

struct Record {
  std::string text;
  std::size_t first_line = 1;
  bool too_large = false;
};

/// Splits a stream into records. One begins with "!!!!SEGMENT", or with a line of exclusive interpretations ("**") that
/// is not the first of its record; comments right before that line belong to it.
class RecordReader {
 public:
  explicit RecordReader(ByteSource& source) : lines_(source, limits::kRecordBytes) {}

  /// false at the end of the input.
  [[nodiscard]] Result<bool> next(Record& record) {
    record = Record{};
    record.text = std::move(pending_);
    record.first_line = pending_line_;
    pending_.clear();
    bool has_spines = has_pending_spines_;
    std::size_t body_end = record.text.size();  // after the last line that is not a comment
    std::size_t body_lines = lines_.number();
    for (;;) {
      std::string_view line;
      auto more = lines_.next(line);
      if (!more && more.error().code == "line-too-long") {
        record.too_large = true;
        continue;
      }
      if (!more) return fail(std::move(more.error()));
      if (!*more) {
        has_pending_spines_ = false;
        pending_line_ = lines_.number() + 1;
        return has_spines;
      }
      const bool starts_spines = line.starts_with("**");
      if (has_spines && (starts_spines || line.starts_with("!!!!SEGMENT"))) {
        split(record, starts_spines ? body_end : record.text.size(), body_lines, line);
        return true;
      }
      has_spines = has_spines || starts_spines;
      append(record, line);
      if (!line.starts_with('!')) {
        body_end = record.text.size();
        body_lines = lines_.number();
      }
    }
  }

 private:
  static void append(Record& record, std::string_view line) {
    if (record.text.size() + line.size() >= limits::kRecordBytes) record.too_large = true;
    if (!record.too_large) (record.text += line) += '\n';
  }

  void split(Record& record, std::size_t end, std::size_t body_lines, std::string_view line) {
    has_pending_spines_ = line.starts_with("**");
    pending_line_ = has_pending_spines_ && !record.too_large ? body_lines + 1 : lines_.number();
    if (!record.too_large) pending_ = record.text.substr(end);
    record.text.resize(std::min(end, record.text.size()));
    (pending_ += line) += '\n';
  }

  LineReader lines_;
  std::string pending_;
  std::size_t pending_line_ = 1;
  bool has_pending_spines_ = false;
};

Result<Piece> read_record(const Record& record, const ReadOptions& options, Remarks& remarks) {
  if (record.too_large) {
    return fail("too-large", "a record of more than " + std::to_string(limits::kRecordBytes) + " bytes",
                remarks.place(), "split it into smaller pieces");
  }
  kern::References references = kern::read_references(record.text);
  auto score = kern::read_score(record.text, record.first_line, references.marks_guesses, remarks);
  if (!score) return fail(std::move(score.error()));
  auto voices = kern::play(*score, options.expand_repeats, remarks);
  if (!voices) {
    voices.error().place = remarks.place(voices.error().place);
    return fail(std::move(voices.error()));
  }
  Piece piece;
  piece.id = std::move(references.id);
  piece.metadata = std::move(references.metadata);
  if (!score->tempo.empty() && piece.metadata.field("tempo").empty()) {
    piece.metadata.fields.emplace_back("tempo", std::move(score->tempo));
  }
  piece.voices = std::move(*voices);
  piece.format = "kern";
  if (options.keep_source) piece.source_text = record.text;
  return piece;
}

bool deliver(const Record& record, const std::string& id, const ReadOptions& options, PieceSink& sink) {
  Place place;
  place.file = options.file;
  place.record = id;
  Remarks remarks(sink, place);
  auto piece = read_record(record, options, remarks);
  if (!piece) return sink.skip(std::move(piece.error()));
  if (piece->id.empty()) piece->id = id;
  return sink.piece(std::move(*piece));
}

/// Only comments may precede the spines of Humdrum: prose before them means that the text is about kern.
bool has_prose_before(std::string_view head, std::size_t spines) {
  head = head.substr(0, spines);
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (!head.empty()) {
    const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    const bool whole = end < head.size();
    head.remove_prefix(std::min(end + 1, head.size()));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '!' || line.starts_with('*')) continue;
    if (whole) return true;
  }
  return false;
}

}  // namespace

int recognise_kern(std::string_view head) {
  constexpr std::string_view kind = "**kern";
  for (std::size_t at = head.find(kind); at != std::string_view::npos; at = head.find(kind, at + 1)) {
    const std::string_view before = head.substr(0, at);
    const std::string_view behind = head.substr(at + kind.size(), 1);
    const bool begins = before.empty() || before.ends_with('\n') || before.ends_with('\r') || before.ends_with('\t');
    const bool ends = behind.empty() || behind == "\n" || behind == "\r" || behind == "\t" || behind == " ";
    if (begins && ends) return has_prose_before(head, at) ? 0 : 95;
  }
  // Other kinds of Humdrum are recognised so that the error can name them.
  const std::size_t spines = head.starts_with("**") ? 0 : head.find("\n**");
  if (spines == std::string_view::npos || has_prose_before(head, spines)) return 0;
  const std::string_view rest = head.substr(spines == 0 ? 0 : spines + 1);
  for (const std::string_view other : {"**mens", "**fret", "**tab", "**lute"}) {
    const std::string_view behind = rest.starts_with(other) ? rest.substr(other.size(), 1) : "-";
    if (behind.empty() || behind == "\n" || behind == "\r" || behind == "\t") return 50;
  }
  return 0;
}

Result<void> read_kern(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  const auto broken = [&](Error error) {
    error.place.file = options.file;
    return fail(std::move(error));
  };
  RecordReader reader(in);
  Record record;
  auto more = reader.next(record);
  if (!more) return broken(std::move(more.error()));
  if (!*more) return broken({"kern-not-kern", "there are no Humdrum spines in it", {}, "a file begins with **kern"});
  for (std::size_t number = 1;; ++number) {
    Record following;
    more = reader.next(following);
    const bool only = number == 1 && more && !*more;
    if (!deliver(record, record_id(options, number, only), options, sink)) return {};
    if (!more) return broken(std::move(more.error()));
    if (!*more) return {};
    record = std::move(following);
  }
}

}  // namespace rondo
