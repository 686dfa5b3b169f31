#include "features/interval_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "features/features.h"
#include "rondo/melody/pitch.h"

namespace rondo {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool separates = c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r' || c == ';';
    if (separates) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return words;
}

Failure not_understood(const std::string& word, const std::string& why = "is not an interval") {
  return fail("interval-word", "'" + word + "' " + why, {},
              "write \"fifth up, third down, unison\", semitones \"+7 -4 0\", \"steps +4 -2 0\" or notes \"G4 D5 B4\"");
}

struct Name {
  std::string_view word;
  int steps;
};
constexpr std::array kNames = {
    Name{"unison", 0},   Name{"prime", 0},      Name{"repeat", 0},      Name{"repeated", 0},  Name{"1st", 0},
    Name{"second", 1},   Name{"2nd", 1},        Name{"third", 2},       Name{"3rd", 2},       Name{"fourth", 3},
    Name{"4th", 3},      Name{"fifth", 4},      Name{"5th", 4},         Name{"sixth", 5},     Name{"6th", 5},
    Name{"seventh", 6},  Name{"7th", 6},        Name{"octave", 7},      Name{"8th", 7},       Name{"ninth", 8},
    Name{"9th", 8},      Name{"tenth", 9},      Name{"10th", 9},        Name{"eleventh", 10}, Name{"11th", 10},
    Name{"twelfth", 11}, Name{"12th", 11},      Name{"thirteenth", 12}, Name{"13th", 12},     Name{"fourteenth", 13},
    Name{"14th", 13},    Name{"fifteenth", 14}, Name{"15th", 14},
};

std::optional<int> steps_of(std::string_view word) {
  if (word.ends_with('s')) word.remove_suffix(1);  // "thirds"
  for (const Name& name : kNames) {
    if (name.word == word) return name.steps;
  }
  return std::nullopt;
}

enum class Quality : std::uint8_t { diminished, minor, perfect, major, augmented };
struct QualityName {
  std::string_view word;
  Quality quality;
};
constexpr std::array kQualities = {
    QualityName{"diminished", Quality::diminished},
    QualityName{"dim", Quality::diminished},
    QualityName{"minor", Quality::minor},
    QualityName{"min", Quality::minor},
    QualityName{"perfect", Quality::perfect},
    QualityName{"major", Quality::major},
    QualityName{"maj", Quality::major},
    QualityName{"augmented", Quality::augmented},
    QualityName{"aug", Quality::augmented},
};

std::optional<Quality> quality_of(std::string_view word) {
  for (const QualityName& name : kQualities) {
    if (name.word == word) return name.quality;
  }
  return std::nullopt;
}

/// Semitones of `steps` with that quality; nothing for a perfect third or a minor fifth.
std::optional<int> semitones_of(int steps, Quality quality) {
  constexpr std::array kMajorScale = {0, 2, 4, 5, 7, 9, 11};
  const int simple = steps % 7;
  const int major = 12 * (steps / 7) + kMajorScale[static_cast<std::size_t>(simple)];
  const bool perfect = simple == 0 || simple == 3 || simple == 4;
  switch (quality) {
    case Quality::perfect: return perfect ? std::optional(major) : std::nullopt;
    case Quality::major: return perfect ? std::nullopt : std::optional(major);
    case Quality::minor: return perfect ? std::nullopt : std::optional(major - 1);
    case Quality::augmented: return major + 1;
    case Quality::diminished: return perfect ? major - 1 : major - 2;
  }
  return std::nullopt;
}

std::optional<std::int16_t> number(std::string_view word) {
  const bool plus = word.starts_with('+');
  if (plus) word.remove_prefix(1);
  if (word.empty() || (plus && word.front() == '-')) return std::nullopt;
  std::int16_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, value);
  if (problem != std::errc{} || stop != end || value > 127 || value < -127) return std::nullopt;
  return value;
}

std::size_t count_needle(std::string_view text, std::string_view needle, bool first) {
  std::size_t times = 0;
  for (std::size_t at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at + 1)) {
    ++times;
    if (first) break;
  }
  return times;
}

/// Parses an interval text passed by SQL, up to the first character that does not belong to a number.
std::vector<std::int16_t> numbers(std::string_view text) {
  std::vector<std::int16_t> out;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    std::int16_t value = 0;
    const auto [stop, problem] = std::from_chars(at, end, value);
    if (problem != std::errc{}) break;
    out.push_back(value);
    at = stop;
  }
  return out;
}

}  // namespace

Result<std::vector<IntervalPattern::Interval>> IntervalPattern::parse_notes(std::span<const std::string> words) {
  std::vector<Interval> out;
  std::optional<Pitch> before;
  for (const std::string& word : words) {
    const auto pitch = Pitch::parse(word);
    if (!pitch) return not_understood(word, "is not a note");
    if (before) out.push_back({std::nullopt, static_cast<std::int16_t>(pitch->midi() - before->midi())});
    before = pitch;
  }
  if (out.empty()) return fail("interval-empty", "one note makes no interval", {}, "give at least two notes");
  return out;
}

Result<std::vector<IntervalPattern::Interval>> IntervalPattern::parse_numbers(std::span<const std::string> words,
                                                                              bool steps) {
  std::vector<Interval> out;
  for (const std::string& word : words) {
    const auto value = number(word);
    if (!value) return not_understood(word, "is not the number of an interval");
    out.push_back(steps ? Interval{value, std::nullopt} : Interval{std::nullopt, value});
  }
  return out;
}

Result<std::vector<IntervalPattern::Interval>> IntervalPattern::parse_names(std::span<const std::string> words) {
  std::vector<Interval> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& beginning = words[i];
    const auto quality = quality_of(beginning);
    if (quality && ++i == words.size()) return not_understood(beginning, "of which interval?");
    const std::string& name = words[i];
    const auto steps = steps_of(name);
    if (!steps) return not_understood(name);
    int direction = 1;
    if (i + 1 < words.size() && (words[i + 1] == "up" || words[i + 1] == "down")) {
      direction = words[++i] == "up" ? 1 : -1;
    } else if (*steps != 0) {
      return not_understood(name, "needs 'up' or 'down' after it");
    }
    Interval interval{static_cast<std::int16_t>(direction * *steps), std::nullopt};
    if (quality) {
      const auto semitones = semitones_of(*steps, *quality);
      if (!semitones)
        return fail("interval-quality", fmt::format("there is no such thing as a {} {}", beginning, name));
      interval.semitones = static_cast<std::int16_t>(direction * *semitones);
    }
    out.push_back(interval);
  }
  return out;
}

Result<IntervalPattern> IntervalPattern::parse(std::string_view text) {
  const std::vector<std::string> words = split(text);
  if (words.empty()) return fail("interval-empty", "there is no interval to search for");
  const std::span<const std::string> all(words);
  IntervalPattern pattern;
  Result<std::vector<Interval>> parsed;
  if (words.front() == "steps" || words.front() == "semitones") {
    parsed = parse_numbers(all.subspan(1), words.front() == "steps");
  } else if (number(words.front())) {
    parsed = parse_numbers(all, false);
  } else if (Pitch::parse(words.front())) {
    parsed = parse_notes(all);
  } else {
    parsed = parse_names(all);
  }
  if (!parsed) return fail(std::move(parsed.error()));
  if (parsed->empty()) return fail("interval-empty", "there is no interval to search for");
  pattern.intervals_ = std::move(*parsed);
  pattern.compile();
  return pattern;
}

void IntervalPattern::compile() {
  std::vector<std::int16_t> steps;
  std::vector<std::int16_t> semitones;
  for (const Interval& interval : intervals_) {
    if (interval.steps) steps.push_back(*interval.steps);
    if (interval.semitones) semitones.push_back(*interval.semitones);
  }
  if (semitones.empty()) diatonic_needle_ = interval_text(steps);
  if (steps.empty()) chromatic_needle_ = interval_text(semitones);
}

std::size_t IntervalPattern::count_mixed(std::string_view diatonic, std::string_view chromatic, bool first) const {
  const std::vector<std::int16_t> steps = numbers(diatonic);
  const std::vector<std::int16_t> semitones = numbers(chromatic);
  const std::size_t size = std::min(steps.size(), semitones.size());
  const auto fits = [&](std::size_t at) {
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (intervals_[i].steps.value_or(steps[at + i]) != steps[at + i]) return false;
      if (intervals_[i].semitones.value_or(semitones[at + i]) != semitones[at + i]) return false;
    }
    return true;
  };
  std::size_t times = 0;
  for (std::size_t at = 0; at + intervals_.size() <= size && !(first && times == 1); ++at) times += fits(at) ? 1U : 0U;
  return times;
}

std::size_t IntervalPattern::count_up_to(std::string_view diatonic, std::string_view chromatic, bool first) const {
  if (!diatonic_needle_.empty()) return count_needle(diatonic, diatonic_needle_, first);
  if (!chromatic_needle_.empty()) return count_needle(chromatic, chromatic_needle_, first);
  return count_mixed(diatonic, chromatic, first);
}

std::size_t IntervalPattern::count(std::string_view diatonic, std::string_view chromatic) const {
  return count_up_to(diatonic, chromatic, false);
}

bool IntervalPattern::occurs(std::string_view diatonic, std::string_view chromatic) const {
  return count_up_to(diatonic, chromatic, true) != 0;
}

}  // namespace rondo
