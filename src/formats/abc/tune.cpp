#include "formats/abc/tune.h"

#include <algorithm>

#include "base/utf8.h"
#include "formats/abc/body.h"
#include "formats/abc/metadata.h"
#include "formats/abc/report.h"

namespace rondo::abc {
namespace {

constexpr std::string_view kIdDirective = "%%rondo-id";

bool is_key(const Line& line) { return line.text.starts_with("K:"); }

class TuneReader {
 public:
  TuneReader(Report& report, bool has_key) : report_(report), body_(report), has_key_(has_key) {}

  /// One line of the file's header: defaults for all tunes.
  void file_line(const Line& line) {
    const std::string_view text = without_comment(line.text);
    if (line.text.starts_with("%%")) {
      body_.directive(std::string_view(line.text).substr(2));
    } else if (is_field(text, false) && !body_.header_field(text[0], text.substr(2), line.number)) {
      if (Headings::knows(text[0])) defaults_.add(text[0], text.substr(2));
    }
  }

  void line(const Line& line) {
    if (line.text.starts_with("%%")) {
      directive(line);
    } else if (text_block_ || line.text.starts_with('%')) {
      return;
    } else if (is_field(line.text, in_body_)) {
      field(line);
    } else {
      other(line);
    }
  }

  Result<Piece> finish(const ReadOptions& options) {
    if (!in_body_ && !has_key_) begin_body();
    Piece piece;
    auto voices = body_.finish(options.expand_repeats);
    if (!voices) return fail(std::move(voices.error()));
    piece.voices = std::move(*voices);
    piece.metadata = headings_.metadata(defaults_);
    piece.format = "abc";
    return piece;
  }

 private:
  void directive(const Line& line) {
    const std::string_view text = trim(std::string_view(line.text).substr(2));
    if (text.starts_with("begin")) text_block_ = true;  // %%begintext, %%beginps: lines that are no music
    if (text.starts_with("end")) text_block_ = false;
    if (text.starts_with(kExactDirective)) headings_.only_named();
    if (text.starts_with(kFieldDirective)) headings_.add_named(text.substr(kFieldDirective.size()));
    body_.directive(without_comment(text));
  }

  void begin_body() {
    in_body_ = true;
    body_.begin();
  }

  void field(const Line& line) {
    std::string_view text = without_comment(line.text);
    const char letter = text[0];
    text.remove_prefix(2);
    if (letter == '+') {
      headings_.extend(text);
      return;
    }
    const bool music = in_body_ ? body_.field(letter, text, line.number, 1) : header(letter, text, line.number);
    const bool words = letter == 'w' || letter == 'W';
    if (letter == 'Y') body_.order_of_parts(text);
    if (words || Headings::knows(letter)) {
      if (!(in_body_ && letter == 'P')) headings_.add(words ? 'W' : letter, text);
    } else if (!music && letter != 'Y' && letter != 'E' && letter != 'd') {
      report_.warn("abc-field-unknown", std::string("there is no field ") + letter + ": in ABC", line.number, 1);
    }
  }

  bool header(char letter, std::string_view text, std::uint32_t line) {
    const bool music = body_.header_field(letter, text, line);
    history_ = letter == 'H';
    if (letter == 'K') begin_body();
    return music;
  }

  /// A line that is no field: music in the body; in the header the continuation of a history, or a mistake.
  void other(const Line& line) {
    const std::string_view text = trim(without_comment(line.text));
    if (text.empty()) return;
    if (!in_body_ && has_key_) {
      if (history_) {
        headings_.extend(text);
      } else {
        report_.warn("abc-header-line", "a line of the header is not a field; it is ignored", line.number, 1);
      }
      return;
    }
    if (!in_body_) {
      report_.warn("abc-no-key", "the tune has no K: field; it is read without a key signature", line.number, 1,
                   "end the header with K:");
      begin_body();
    }
    body_.music(line.text, line.number);
  }

  Report& report_;
  Body body_;
  Headings headings_;
  Headings defaults_;
  bool has_key_;
  bool in_body_ = false;
  bool text_block_ = false;
  bool history_ = false;
};

std::string joined(std::span<const Line> lines) {
  std::string text;
  for (const Line& line : lines) text += line.text + "\n";
  return text;
}

}  // namespace

bool is_field(std::string_view line, bool in_body) {
  if (line.size() < 2 || line[1] != ':') return false;
  if (line[0] == '+') return true;
  if (!is_letter(line[0])) return false;
  if (!in_body) return true;
  const char next = line.size() > 2 ? line[2] : ' ';
  if (next == '|' || next == ':') return false;
  const bool small = line[0] >= 'a';
  return !small || std::string_view("mrswd").find(line[0]) != std::string_view::npos;
}

std::string written_id(std::span<const Line> tune) {
  for (const Line& line : tune) {
    if (line.text.starts_with(kIdDirective))
      return decode(trim(std::string_view(line.text).substr(kIdDirective.size())));
  }
  return {};
}

Result<Piece> read_tune(std::span<const Line> tune, std::span<const Line> file_header, std::string id,
                        const ReadOptions& options, PieceSink& sink) {
  Report report(sink, options.file, id);
  const std::uint32_t first = tune.empty() ? 0 : tune.front().number;
  if (!std::all_of(tune.begin(), tune.end(), [](const Line& line) { return is_utf8(line.text); })) {
    report.warn("abc-not-utf8", "the text is not UTF-8; it is read as Latin-1", first, 0);
  }
  TuneReader reader(report, std::any_of(tune.begin(), tune.end(), is_key));
  for (const Line& line : file_header) reader.file_line(line);
  for (const Line& line : tune) reader.line(line);
  auto piece = reader.finish(options);
  if (!piece) {
    Error error = std::move(piece.error());
    error.place = report.place(first, 0);
    return fail(std::move(error));
  }
  piece->id = std::move(id);
  if (options.keep_source) piece->source_text = joined(tune);
  return piece;
}

}  // namespace rondo::abc
