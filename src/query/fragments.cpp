#include <algorithm>
#include <array>

#include "query/draft.h"
#include "query/first_melody.h"

namespace rondo::query {
namespace {

constexpr std::string_view kAbcSigns = "ABCDEFGabcdefgzxZ0123456789/|:[]()<>^_=,'~.-\"!{}&+\\ \t\r\n";
constexpr std::string_view kAbcFields = "ABCDFGHIKLMmNOPQRrSTUVWwXZ";

bool is_field_line(std::string_view line) {
  return line.size() > 1 && line[1] == ':' && kAbcFields.find(line[0]) != std::string_view::npos && line[0] != '|';
}

/// The music of a text: its lines that are no fields, with their places.
bool has_field(std::string_view text, char name) {
  const std::string start = {name, ':'};
  return text.starts_with(start) || text.find("\n" + start) != std::string_view::npos;
}

/// Whether there is anything about lengths: numbers, slashes, broken rhythm.
bool has_lengths(std::string_view text) { return text.find_first_of("0123456789/<>") != std::string_view::npos; }

struct KernToken {
  bool note = false;
  bool rest = false;
  bool small = false;
};

/// A note, rest, bar line or interpretation of kern. Nothing: it is none of them.
std::optional<KernToken> kern_token(std::string_view text) {
  if (text.starts_with('=') && all_of(text.substr(1), "0123456789|!:=-")) return KernToken{};
  if (text.starts_with("*k[") || text.starts_with("*M") || text.starts_with("*clef")) return KernToken{};
  while (!text.empty() && std::string_view("[({&").find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == 0 || at > 3) return std::nullopt;
  while (at < text.size() && text[at] == '.') ++at;
  if (at == text.size()) return std::nullopt;
  const char letter = text[at];
  std::size_t end = at;
  while (end < text.size() && text[end] == letter) ++end;
  if (letter == 'r' && end == at + 1) return KernToken{.note = true, .rest = true};
  if (upper(letter) < 'A' || upper(letter) > 'G') return std::nullopt;
  while (end < text.size() && (text[end] == '#' || text[end] == '-' || text[end] == 'n')) ++end;
  if (!all_of(text.substr(end), "LJKk/\\])};_'~^\"`TtMmWwSsO$Rr?XxyYPpqQ")) return std::nullopt;
  return KernToken{.note = true, .small = is_lower(letter)};
}

/// Where the value of a field ends that music may follow: behind a key with its mode and clef, or behind one word.
std::size_t field_end(std::string_view text, std::size_t at, char name) {
  static constexpr std::array<std::string_view, 9> kModes = {"maj", "min", "mix",   "dor",    "phr",
                                                             "lyd", "loc", "clef=", "octave="};
  std::size_t end = std::min(text.find(' ', at), text.size());
  while (name == 'K' && end < text.size()) {
    const std::string next = lowered(text.substr(end + 1, text.find(' ', end + 1) - end - 1));
    const bool more = next == "m" || std::any_of(kModes.begin(), kModes.end(),
                                                 [&](std::string_view mode) { return next.starts_with(mode); });
    if (!more) break;
    end = std::min(text.find(' ', end + 1), text.size());
  }
  return end;
}

}  // namespace

std::optional<std::string> abc_in_lines(std::string_view text) {
  if (!is_field_line(text) || text.find('\n') != std::string_view::npos) return std::nullopt;
  std::string lines(text);
  std::size_t last = 0;
  for (std::size_t i = 1; i + 2 < text.size(); ++i) {
    if (text[i] != ' ' || text[i + 1] == 'K' || !is_field_line(text.substr(i + 1))) continue;
    lines[i] = '\n';
    last = i + 1;
  }
  // The key is the last field before the music.
  const std::size_t key = text.starts_with("K:") ? 0 : text.find(" K:") + 1;
  if (key > 0) {
    lines[key - 1] = '\n';
    last = std::max(last, key);
  } else if (!text.starts_with("K:") && std::string_view("MLXQ").find(text[last]) == std::string_view::npos) {
    return std::nullopt;  // nothing says where a title ends
  }
  const std::size_t end = field_end(text, last + 2, text[last]);
  if (end < text.size()) lines[end] = '\n';
  return lines;
}

int abc_rather_than_pae(std::string_view text) {
  int abc = 0;
  int pae = 0;
  bool capitals = false;
  bool small = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const char before = i > 0 ? text[i - 1] : '\0';
    const bool note_next = upper(next) >= 'A' && upper(next) <= 'G';
    const bool note_before = upper(before) >= 'A' && upper(before) <= 'G';
    capitals = capitals || (c >= 'A' && c <= 'G');
    small = small || c == 'a' || (c >= 'c' && c <= 'f');
    if (c == '|') abc += 3;
    if ((c == '^' || c == '_' || c == '=') && note_next && !note_before) abc += 2;
    if (c == 'z' || c == '<' || c == '"') abc += 2;
    if (c == '>' && note_next) ++abc;
    if (c == '(' && is_digit(next)) abc += is_digit(before) ? 0 : 2;
    if (is_digit(c) && note_before && (is_blank(next) || next == '\0' || next == '/')) abc += 2;
    if (c == '/' && is_digit(next) && is_digit(before)) ++abc;
    if (c == '{' || c == '}' || c == '%' || c == '$' || c == '@' || c == ';') pae += 2;
    const bool capital_next = next >= 'A' && next <= 'G';
    if ((c == 'x' || c == 'n' || c == 'b' || c == 'q') && capital_next) pae += 2;
    if (c == 't' && before >= 'A' && before <= 'G') pae += 2;
    if (c == '/' && (before == '/' || (note_next && note_before && is_upper(before) == is_upper(next)))) pae += 2;
    if (c == '-' && (is_digit(before) || next == '/' || next == '-')) ++pae;
    if (is_digit(c) && note_next && (i == 0 || is_blank(before) || before == '\'' || before == '{' || before == '/')) {
      pae += 2;
    }
  }
  if (capitals && small) abc += 2;
  // Plaine & Easie has its octaves before the note.
  if (text.size() > 1 && (text.back() == '\'' || text.back() == ',') && is_letter(text[text.size() - 2])) abc += 2;
  if (!text.empty() && (text.front() == '\'' || text.front() == ',' || is_digit(text.front()))) pae += 6;
  return abc - pae;
}

namespace {

/// Lines of ABC without signs for unknown notes.
Result<Draft> read_abc_lines(std::string_view text) {
  std::string head;
  std::string music;
  bool any_field = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (is_field_line(line)) {
      any_field = true;
    } else {
      if (const std::size_t odd = line.find_first_not_of(kAbcSigns); odd != std::string_view::npos && !any_field) {
        return not_this(begin + odd);
      }
      music += line;
    }
    begin = end + 1;
  }
  if (music.find_first_of("ABCDEFGabcdefg") == std::string::npos) return not_this(0);
  if (!has_field(text, 'X')) head += "X:1\n";
  if (!has_field(text, 'L') && !has_field(text, 'M')) head += "L:1/8\n";
  if (!has_field(text, 'K') && !any_field) head += "K:C\n";
  // Music without a key, but with other fields: the key goes between.
  std::string whole = head;
  if (any_field && !has_field(text, 'K')) {
    bool done = false;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = text.substr(begin, end - begin);
      if (!done && !is_field_line(line)) {
        whole += "K:C\n";
        done = true;
      }
      (whole += line) += '\n';
      begin = end + 1;
    }
  } else {
    (whole += text) += '\n';
  }
  auto draft = read_as("abc", whole, QueryKind::abc);
  if (!draft) return draft;
  draft->because = any_field ? "it has fields of ABC" : "it has signs of ABC";
  draft->rhythm = has_lengths(music);
  std::erase_if(draft->warnings, [](const Diagnostic& warning) { return warning.code == "abc-no-number"; });
  const auto added = static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n'));
  for (Diagnostic& warning : draft->warnings) warning.place.line -= std::min(warning.place.line, added);
  return draft;
}

}  // namespace

Result<Draft> read_abc_fragment(std::string_view text) {
  if (text.find_first_of("?*") == std::string_view::npos && text.find("...") == std::string_view::npos) {
    return read_abc_lines(text);
  }
  auto open = open_text(text);
  if (!open) return fail(std::move(open.error()));
  auto draft = read_abc_lines(open->text);
  if (!draft || !draft->piece || draft->piece->voices.empty()) return draft;
  set_unknown(*draft, *open, [](std::string_view beginning) -> std::size_t {
    const auto part = read_abc_lines(beginning);
    if (!part || !part->piece || part->piece->voices.empty()) return 0;
    return part->piece->voices.front().notes.size();
  });
  return draft;
}

Result<Draft> read_kern_fragment(std::string_view text) {
  std::string whole = "**kern\n";
  std::size_t notes = 0;
  bool small = false;
  bool long_value = false;
  std::uint32_t begun = 0;  // notes, those of a tie as one
  std::vector<Event> open;
  std::vector<UnknownNotes> unknown;
  const auto words = split_words(text);
  for (const Word& word : words) {
    const auto sign = sign_event(word.text);
    if (sign && sign->kind == Event::Kind::bar) return not_this(word.at);
    if (sign) {
      open.push_back(*sign);
      if (unknown.empty() || unknown.back().before != begun) unknown.push_back({.before = begun});
      unknown.back().notes += sign->kind == Event::Kind::unknown_note ? 1 : 0;
      unknown.back().more = unknown.back().more || sign->kind == Event::Kind::unknown_stretch;
      continue;
    }
    const auto token = kern_token(word.text);
    if (!token) return not_this(word.at);
    notes += token->note ? 1 : 0;
    begun += token->note && !token->rest && word.text.find_first_of("_]") == std::string_view::npos ? 1 : 0;
    small = small || token->small;
    long_value = long_value || word.text.find_first_of("0123456789") != word.text.find_last_of("0123456789");
    (whole += word.text) += '\n';
  }
  whole += "*-\n";
  if (notes == 0) return not_this(0);
  // Capitals with a digit each are Plaine & Easie as well, and mean the same there; 16 and 32 are not.
  if (!small && !long_value) return not_this(0);
  if (notes == 1 && words.front().text.size() > 4 && !long_value) return not_this(0);
  auto draft = read_as("kern", whole, QueryKind::kern);
  if (!draft) return draft;
  draft->events = std::move(open);
  draft->unknown = std::move(unknown);
  draft->because = "every word is a value and a letter, as in kern";
  draft->rhythm = true;
  for (Diagnostic& warning : draft->warnings) warning.place = {};
  return draft;
}

}  // namespace rondo::query
