#include <algorithm>

#include "base/streams.h"
#include "formats/abc/tune.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace {

using abc::Line;

bool starts_tune(std::string_view line) { return line.starts_with("X:"); }

/// Splits the lines of a file into header, tunes and free text, and reads each tune as soon as it is complete: only one
/// tune is in memory.
class TuneSplitter {
 public:
  TuneSplitter(const ReadOptions& options, PieceSink& sink) : options_(options), sink_(sink) {}

  /// false: the sink wants no more.
  bool line(std::string_view text, std::size_t number) {
    if (starts_tune(text)) {
      if (!end_block()) return false;
      in_tune_ = true;
    } else if (abc::trim(text).empty()) {
      return blank();
    } else if (blank_in_header_) {
      // The blank line after X: and T: was a mistake if the header continues after it.
      blank_in_header_ = false;
      if (!abc::is_field(text, false) && !end_block()) return false;
    }
    add(text, number);
    return true;
  }

  /// A line that could not be read skips its tune.
  void unreadable_line(Error error) { skipping_ = std::move(error); }

  bool end_block() {
    blank_in_header_ = false;
    const bool tune = in_tune_ || holds_tune();
    bool more = true;
    if (tune) {
      more = finish_tune();
    } else if (tunes_ == 0 && !header_done_ && !lines_.empty() && is_header()) {
      header_ = std::move(lines_);
    }
    header_done_ = header_done_ || tune || !lines_.empty();
    lines_.clear();
    bytes_ = 0;
    in_tune_ = false;
    has_key_ = false;
    skipping_.reset();
    return more;
  }

  [[nodiscard]] std::size_t tunes() const { return tunes_; }

 private:
  void add(std::string_view text, std::size_t number) {
    bytes_ += text.size() + sizeof(Line);
    has_key_ = has_key_ || text.starts_with("K:");
    if (bytes_ <= limits::kRecordBytes) {
      lines_.push_back({static_cast<std::uint32_t>(number), std::string(text)});
    } else if (!skipping_) {
      skipping_ = Error{"too-large",
                        "a tune of more than " + std::to_string(limits::kRecordBytes) + " bytes is not read",
                        {},
                        "is it ABC?"};
    }
  }

  bool blank() {
    if (in_tune_ && !has_key_ && !skipping_) {
      blank_in_header_ = true;
      return true;
    }
    return end_block();
  }

  /// A block without X: is also a tune if it begins with a field and has a key followed by music: so a fragment can be
  /// a query.
  [[nodiscard]] bool holds_tune() const {
    return !lines_.empty() && abc::is_field(lines_.front().text, false) && has_key_ &&
           !lines_.back().text.starts_with("K:");
  }

  [[nodiscard]] bool is_header() const {
    return std::all_of(lines_.begin(), lines_.end(),
                       [](const Line& line) { return line.text.starts_with('%') || abc::is_field(line.text, false); });
  }

  bool finish_tune() {
    ++tunes_;
    std::string id = abc::written_id(lines_);
    if (id.empty()) id = record_id(options_, tunes_);
    const std::uint32_t first = lines_.empty() ? 0 : lines_.front().number;
    if (skipping_) {
      skipping_->place = Place{options_.file, id, {}, first, 0};
      return sink_.skip(std::move(*skipping_));
    }
    if (!in_tune_) {
      sink_.warn({"abc-no-number", "the tune does not begin with X:", {options_.file, id, {}, first, 1}, {}});
    }
    auto piece = abc::read_tune(lines_, header_, id, options_, sink_);
    if (!piece) return sink_.skip(std::move(piece.error()));
    return sink_.piece(std::move(*piece));
  }

  const ReadOptions& options_;
  PieceSink& sink_;
  std::vector<Line> header_;
  std::vector<Line> lines_;
  std::optional<Error> skipping_;  ///< why the current tune cannot be kept
  std::size_t bytes_ = 0;
  std::size_t tunes_ = 0;
  bool in_tune_ = false;
  bool has_key_ = false;  ///< of the current block
  bool header_done_ = false;
  bool blank_in_header_ = false;
};

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

int recognise_abc(std::string_view head) {
  head = without_bom(head);
  if (head.starts_with("%abc")) return 100;
  if (head.find('\0') != std::string_view::npos) return 0;
  bool number = false;
  bool key = false;
  bool field_first = false;
  bool first = true;
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = std::min(head.find_first_of("\r\n", begin), head.size());
    const std::string_view line = head.substr(begin, end - begin);
    begin = end + 1;
    if (first && !line.empty()) {
      field_first = abc::is_field(line, false);
      first = false;
    }
    number = number || starts_tune(line);
    key = key || line.starts_with("K:");
    if (number && key) return 90;
  }
  if (number) return 50;
  return key && field_first ? 40 : 0;
}

Result<void> read_abc(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  LineReader lines(in, limits::kRecordBytes);
  TuneSplitter splitter(options, sink);
  while (true) {
    std::string_view line;
    const auto more = lines.next(line);
    if (!more) {
      if (more.error().code != "line-too-long") return fail(more.error());
      splitter.unreadable_line(more.error());
      continue;
    }
    if (!*more) break;
    if (lines.number() == 1) line = without_bom(line);
    if (!splitter.line(line, lines.number())) return {};
  }
  if (!splitter.end_block()) return {};
  if (splitter.tunes() == 0) {
    return fail("abc-no-tune", "no tune was found", {options.file, {}, {}, 0, 0}, "a tune begins with a line X:1");
  }
  return {};
}

}  // namespace rondo
