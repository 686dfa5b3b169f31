#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What MIDI cannot express, Rondo writes as sequencer-specific events (FF 7F), which other programs ignore: the
/// manufacturer id for private use (7D), "Rondo ", and a line of text: a verb and its argument. The verbs are listed in
/// docs/formats/midi.md.
namespace rondo::midi {

struct Word {
  std::string_view verb;
  std::string_view rest;
};

inline constexpr std::string_view kWordMark = "\x7DRondo ";

[[nodiscard]] inline std::optional<Word> parse_word(std::string_view data) {
  if (!data.starts_with(kWordMark)) return std::nullopt;
  data.remove_prefix(kWordMark.size());
  const std::size_t blank = data.find(' ');
  if (blank == std::string_view::npos) return Word{data, {}};
  return Word{data.substr(0, blank), data.substr(blank + 1)};
}

[[nodiscard]] inline std::string make_word(std::string_view verb, std::string_view rest = {}) {
  std::string data(kWordMark);
  data += verb;
  if (!rest.empty()) (data += ' ') += rest;
  return data;
}

}  // namespace rondo::midi
