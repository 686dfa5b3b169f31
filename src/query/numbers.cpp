#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "query/draft.h"
#include "rondo/melody/pitch.h"

namespace rondo::query {
namespace {

Event note_at(const Pitch& pitch) { return {.step = pitch.step, .alter = pitch.alter, .octave = pitch.octave}; }

/// A whole number with or without a sign.
struct Signed {
  int value = 0;
  char sign = 0;
};
std::optional<Signed> signed_number(std::string_view text) {
  Signed out;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    out.sign = text.front();
    text.remove_prefix(1);
  }
  if (text.empty() || text.size() > 9 || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::from_chars(text.data(), text.data() + text.size(), out.value);
  return out;
}

// ---- degrees

/// Reads one degree off the front of a word: sign for the octave, accidental, digit, marks, lengthening.
struct DegreeReader {
  std::vector<Event>& events;
  bool octaves = false;
  bool rhythm = false;
  bool held = false;  ///< by a dash

  static Fraction quarter() { return {1, 4}; }

  bool read(std::string_view& rest) {
    int octave = 0;
    while (!rest.empty() && (rest.front() == '+' || rest.front() == '-') && octave > -4 && octave < 4) {
      octave += rest.front() == '+' ? 1 : -1;
      rest.remove_prefix(1);
    }
    octaves = octaves || octave != 0;
    int alter = 0;
    while (!rest.empty() && (rest.front() == '#' || rest.front() == 'b') && std::abs(alter) < 2) {
      alter += rest.front() == '#' ? 1 : -1;
      rest.remove_prefix(1);
    }
    if (rest.empty() || !is_digit(rest.front())) return false;
    const int digit = rest.front() - '0';
    rest.remove_prefix(1);
    // "4#" as well as "#4".
    if (alter == 0 && !rest.empty() &&
        (rest.front() == '#' || (rest.front() == 'b' && (rest.size() == 1 || !is_digit(rest[1]))))) {
      alter = rest.front() == '#' ? 1 : -1;
      rest.remove_prefix(1);
    }
    int marks = 0;
    while (!rest.empty() && (rest.front() == '\'' || rest.front() == ',') && std::abs(marks) < 4) {
      marks += rest.front() == '\'' ? 1 : -1;
      rest.remove_prefix(1);
    }
    octaves = octaves || marks != 0;
    Event event{.kind = digit == 0 ? Event::Kind::rest : Event::Kind::note};
    if (digit == 0 && (alter != 0 || marks != 0 || octave != 0)) return false;
    event.step = digit > 7 ? digit - 8 : std::max(digit - 1, 0);
    event.alter = alter;
    event.octave = 4 + octave + marks + (digit > 7 ? 1 : 0);
    octaves = octaves || digit > 7;
    lengthen(rest, event.length);
    events.push_back(event);
    return true;
  }

  /// A dash holds a beat longer, an underscore doubles, a dot adds half.
  void lengthen(std::string_view& rest, Fraction& length) {
    std::size_t signs = 0;
    for (; !rest.empty() && signs < 16; ++signs, rest.remove_prefix(1)) {
      const char c = rest.front();
      const bool dash_of_next = c == '-' && rest.size() > 1 && (is_digit(rest[1]) || rest[1] == '#' || rest[1] == 'b');
      if (c == '-' && !dash_of_next) {
        length = length + quarter();
        held = true;
      } else if (c == '_' && length < Fraction(8)) {
        length = length * Fraction(2);
      } else if (c == '.' && signs == 0) {
        length = length * Fraction(3, 2);
      } else {
        break;
      }
    }
    rhythm = rhythm || signs > 0;
  }
};

}  // namespace

Result<Draft> read_degrees(std::string_view text) {
  auto words = split_words(text);
  // 1-2-3: hyphens that only part the numbers.
  const bool parted =
      words.size() == 1 && text.find('-') != std::string_view::npos && all_of(text, "0123456789-#b") && text.size() > 2;
  if (parted) {
    auto by_hyphens = split_words(text, [](char c) { return is_digit(c) || c == '#' || c == 'b'; });
    const bool single = std::all_of(by_hyphens.begin(), by_hyphens.end(), [](const Word& word) {
      return std::count_if(word.text.begin(), word.text.end(), is_digit) == 1 && !word.text.ends_with('-');
    });
    if (single && by_hyphens.size() > 1) words = std::move(by_hyphens);
  }
  Draft draft{.kind = QueryKind::degrees};
  DegreeReader reader{draft.events};
  for (const Word& word : words) {
    if (auto sign = sign_event(word.text)) {
      draft.events.push_back(*sign);
      continue;
    }
    if (word.text == "-" && !draft.events.empty()) {  // 5 - - : a beat longer each
      draft.events.back().length = draft.events.back().length + DegreeReader::quarter();
      reader.rhythm = reader.held = true;
      continue;
    }
    std::string_view rest = word.text;
    while (!rest.empty()) {
      if (!reader.read(rest)) {
        return not_this(word.at, fmt::format("'{}' is not a degree of the scale, 1 to 7", word.text));
      }
    }
  }
  const auto is_note = [](const Event& event) { return event.kind == Event::Kind::note; };
  if (std::none_of(draft.events.begin(), draft.events.end(), is_note)) return not_this(0);
  if (!reader.octaves) {
    for (Event& event : draft.events) event.octave.reset();
  }
  draft.rhythm = reader.rhythm;
  draft.because = "there are numbers of degrees, 1 to 7";
  if (reader.held) {
    draft.warnings.push_back(guess("query-guess", "a dash behind a degree was read as one beat longer, as in jianpu",
                                   "for the octave below write 5, with a comma", text.find('-')));
  }
  return draft;
}

// ---- intervals

namespace {

/// An interval as a word names it; without steps only its semitones are known.
struct Interval {
  int semitones = 0;
  std::optional<int> steps{};
  bool directed = false;
};

constexpr int kWidest = 36;

std::optional<Interval> named_interval(std::string_view text) {
  Interval out;
  int sign = 1;
  if (!text.empty() && (text.front() == '+' || text.front() == '-' || text.front() == '^' || text.front() == 'v')) {
    sign = text.front() == '-' || text.front() == 'v' ? -1 : 1;
    out.directed = true;
    text.remove_prefix(1);
  }
  if (text == "TT" || text == "tt") return Interval{sign * 6, sign * 3, out.directed};
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  const char quality = text.front();
  const auto number = signed_number(text.substr(1));
  if (!number || number->sign != 0 || number->value < 1 || number->value > 15) return std::nullopt;
  constexpr std::array<int, 7> kMajor = {0, 2, 4, 5, 7, 9, 11};
  const int steps = number->value - 1;
  const bool perfect = steps % 7 == 0 || steps % 7 == 3 || steps % 7 == 4;
  int semitones = 12 * (steps / 7) + kMajor[static_cast<std::size_t>(steps % 7)];
  switch (quality) {
    case 'P':
      if (!perfect) return std::nullopt;
      break;
    case 'M':
      if (perfect) return std::nullopt;
      break;
    case 'm':
      if (perfect) return std::nullopt;
      --semitones;
      break;
    case 'A': ++semitones; break;
    case 'd': semitones -= perfect ? 1 : 2; break;
    default: return std::nullopt;
  }
  out.semitones = sign * semitones;
  out.steps = sign * steps;
  return out;
}

/// The note that an interval leads to; where its spelling would be absurd, another of the same key.
Pitch moved(const Pitch& from, const Interval& interval) {
  const int key = from.midi() + interval.semitones;
  if (!interval.steps) return Pitch::from_midi(key);
  const int place = from.diatonic() + *interval.steps;
  if (place < 0 || place >= 7 * 12) return Pitch::from_midi(key);
  Pitch to{static_cast<std::int8_t>(place % 7), 0, static_cast<std::int8_t>(place / 7)};
  const int alter = key - to.midi();
  if (std::abs(alter) > 2) return Pitch::from_midi(key);
  to.alter = static_cast<std::int8_t>(alter);
  return to;
}

}  // namespace

Result<Draft> read_intervals(std::string_view text) {
  const auto words = split_words(text);
  std::vector<Interval> intervals;
  std::vector<std::optional<Event>> signs;  // a sign, or nothing: the next interval
  bool named = false;
  bool directed = false;
  for (const Word& word : words) {
    if (auto sign = sign_event(word.text)) {
      if (sign->kind != Event::Kind::bar) signs.push_back(sign);
      continue;
    }
    const std::string small = lowered(word.text);
    if (!intervals.empty() && !signs.empty() && !signs.back() && (small == "up" || small == "down")) {
      if (small == "down") {
        intervals.back().semitones = -std::abs(intervals.back().semitones);
        if (intervals.back().steps) intervals.back().steps = -std::abs(*intervals.back().steps);
      }
      directed = true;
      continue;
    }
    if (auto number = signed_number(word.text); number && number->value <= kWidest) {
      intervals.push_back({number->sign == '-' ? -number->value : number->value, std::nullopt, number->sign != 0});
    } else if (auto interval = named_interval(word.text)) {
      intervals.push_back(*interval);
      named = true;
    } else {
      return not_this(word.at, fmt::format("'{}' is not an interval such as +2, -1, P5 or -m3", word.text));
    }
    directed = directed || intervals.back().directed;
    signs.emplace_back();
  }
  if (intervals.empty()) return not_this(0);
  Draft draft{.kind = QueryKind::intervals};
  draft.because = named ? "there are names of intervals such as P5 and m3" : "there are numbers with signs";
  // From middle C, or as many octaves higher or lower as the range needs.
  int lowest = 0;
  int highest = 0;
  int sum = 0;
  for (const Interval& interval : intervals) {
    sum += interval.semitones;
    lowest = std::min(lowest, sum);
    highest = std::max(highest, sum);
  }
  int start = 60;
  while (start + lowest < 24 && start + highest < 96) start += 12;
  while (start + highest > 108 && start + lowest > 36) start -= 12;
  if (start + lowest < 0 || start + highest > 127) return not_this(0, "the intervals lead beyond all octaves");
  Pitch pitch = Pitch::from_midi(start);
  std::size_t next = 0;
  bool begins = true;  // behind an unknown interval, from any note
  for (const auto& sign : signs) {
    if (sign) {
      draft.events.push_back(*sign);
      begins = true;
      continue;
    }
    if (begins) draft.events.push_back(note_at(pitch));
    begins = false;
    pitch = moved(pitch, intervals[next++]);
    draft.events.push_back(note_at(pitch));
  }
  if (named && !directed && intervals.size() > 1) {
    draft.warnings.push_back(guess("query-guess", "the intervals have no direction and were all read upwards",
                                   "write -m3 for a minor third down"));
  }
  return draft;
}

// ---- keys

Result<Draft> read_key_numbers(std::string_view text) {
  Draft draft{.kind = QueryKind::key_numbers, .because = "there are only numbers of keys, 60 for middle C"};
  for (const Word& word : split_words(text)) {
    if (auto sign = sign_event(word.text)) {
      draft.events.push_back(*sign);
      continue;
    }
    const auto number = signed_number(word.text);
    if (!number || number->sign != 0 || number->value > 127) {
      return not_this(word.at, fmt::format("'{}' is not the number of a key, 0 to 127", word.text));
    }
    draft.events.push_back(note_at(Pitch::from_midi(number->value)));
  }
  if (draft.events.empty()) return not_this(0);
  return draft;
}

namespace {

/// 0 2 4 5: semitones above a note, as programmers count them.
Result<Draft> read_semitones(std::string_view text) {
  auto draft = read_key_numbers(text);
  if (!draft) return draft;
  for (Event& event : draft->events) {
    if (event.octave) *event.octave += 5;
  }
  draft->because = "there are numbers of semitones from 0 on";
  draft->warnings.push_back(guess("query-guess", "the numbers were read as semitones above the first note of a scale",
                                  "for degrees begin with degrees:"));
  return draft;
}

}  // namespace

// ---- which of them

Result<Draft> read_numbers(std::string_view text) {
  // 1 2 3/4 5 6: bar lines as in Plaine & Easie.
  if (text.find('/') != std::string_view::npos && all_of(text, "1234567#b /|")) {
    std::string barred(text);
    std::replace(barred.begin(), barred.end(), '/', '|');
    return read_degrees(barred);
  }
  if (text.find_first_of("0123456789") == std::string_view::npos && lowered(text).find("tt") == std::string::npos) {
    return not_this(0);
  }
  std::size_t plain = 0;
  std::size_t zeros = 0;
  std::size_t plus = 0;
  std::size_t minus = 0;
  std::size_t two_digits = 0;
  std::size_t others = 0;
  int greatest = 0;
  const auto words = split_words(text);
  for (const Word& word : words) {
    if (sign_event(word.text)) continue;
    const auto number = signed_number(word.text);
    if (!number) {
      ++others;
      continue;
    }
    greatest = std::max(greatest, number->value);
    if (number->sign == '+') ++plus;
    if (number->sign == '-') ++minus;
    if (number->sign == 0 && number->value == 0) ++zeros;
    if (number->sign == 0 && number->value != 0) ++plain;
    if (number->sign == 0 && word.text.size() >= 2) ++two_digits;
  }
  const std::size_t numbers = plain + zeros + plus + minus;
  if (others > 0) {
    auto degrees = read_degrees(text);
    if (degrees) return degrees;
    auto intervals = read_intervals(text);
    return intervals ? intervals : degrees;
  }
  if (numbers == 0) return not_this(0);
  // Signs of run-together degrees ("-5123") belong to the octave; a number of one or two digits is an interval.
  const bool runs = greatest > kWidest;
  if (plus + minus > 0 && plain == 0 && !runs) return read_intervals(text);
  if (plus + minus > 0 && !runs) {
    const bool intervals = plus == 0 || zeros > 0 || greatest > 7;
    auto draft = intervals ? read_intervals(text) : read_degrees(text);
    if (draft) {
      draft->warnings.push_back(
          guess("query-guess",
                intervals ? "numbers with and without signs were read as intervals in semitones"
                          : "numbers with and without signs were read as degrees, + for the octave above",
                intervals ? "for degrees begin with degrees:" : "for intervals give every number a sign"));
    }
    return draft;
  }
  const bool no_degrees = text.find_first_of("089") != std::string_view::npos;
  if (two_digits == numbers && greatest <= 127 && (numbers > 1 || no_degrees)) return read_key_numbers(text);
  const bool from_zero = words.front().text == "0" && numbers > 2;
  if (greatest <= 24 && (from_zero || (two_digits > 0 && no_degrees))) return read_semitones(text);
  return read_degrees(text);
}

}  // namespace rondo::query
