// The field KEY: "KEY[Q0062E 16 F 6/8]".

#include <array>
#include <charconv>

#include "formats/esac/melody.h"
#include "formats/legacy_text.h"
#include "formats/transposition.h"

namespace rondo::esac {
namespace {

constexpr std::array kMajorScale = {0, 2, 4, 5, 7, 9, 11};
constexpr std::int64_t kFinestUnit = 1024;
constexpr std::size_t kMostMetres = 64;

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return words;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "G", "Bb", "F#"; lower case is accepted; also the German names, "H", "Es", "Fis".
std::optional<Pitch> tonic_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Pitch tonic;
  const bool german_b = (text.front() | 0x20) == 'h';
  const int step = german_b ? 6 : step_of_letter(text.front());
  if (step < 0) return std::nullopt;
  tonic.step = static_cast<std::int8_t>(step);
  const std::string_view sign = text.substr(1);
  if (sign == "#" || sign == "is") {
    tonic.alter = 1;
  } else if (sign == "b" || sign == "es" || sign == "s") {
    tonic.alter = -1;
  } else if (!sign.empty()) {
    return std::nullopt;
  }
  return tonic;
}

std::optional<TimeSignature> metre_of(std::string_view text) {
  constexpr std::string_view kFree = "FREI";
  if (text.starts_with(kFree) || text.starts_with("frei") || text.starts_with("Frei")) return TimeSignature{0, 4, {}};
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto beats = whole_number(text.substr(0, slash));
  const auto unit = whole_number(text.substr(slash + 1));
  if (!beats || !unit || *beats < 1 || *beats > 255 || *unit < 1 || *unit > 128) return std::nullopt;
  return TimeSignature{static_cast<std::uint16_t>(*beats), static_cast<std::uint16_t>(*unit), {}};
}

Place place_of(const Field& field) { return {{}, {}, field.name, field.line, field.column}; }

}  // namespace

std::optional<Pitch> degree_pitch(const Pitch& tonic, int degree, int octave, int alter) {
  const int diatonic = tonic.diatonic() + degree - 1 + 7 * octave;
  const int step = ((diatonic % 7) + 7) % 7;
  const int own_octave = (diatonic - step) / 7;
  const int midi = tonic.midi() + kMajorScale[static_cast<std::size_t>(degree - 1)] + 12 * octave + alter;
  const Pitch natural{static_cast<std::int8_t>(step), 0, 4};
  return make_pitch(step, midi - (natural.midi() + 12 * (own_octave - 4)), own_octave);
}

Degree degree_of(const Pitch& tonic, const Pitch& pitch) {
  const int steps = pitch.diatonic() - tonic.diatonic();
  Degree out;
  out.degree = ((steps % 7) + 7) % 7 + 1;
  out.octave = (steps - (out.degree - 1)) / 7;
  out.alter = pitch.midi() - tonic.midi() - kMajorScale[static_cast<std::size_t>(out.degree - 1)] - 12 * out.octave;
  return out;
}

Result<KeyField> parse_key(const Field& field, Remarks& remarks) {
  const std::vector<std::string_view> words = words_of(field.text);
  const auto bad = [&](std::string message) {
    return fail("esac-bad-key", std::move(message), remarks.place(place_of(field)),
                "a key is the song's number, its smallest note, the tonic and the metre, as in KEY[Q0062E 16 F 6/8]");
  };
  // Only the number may be missing. It is a separate word even if it looks like a unit.
  const std::size_t at = words.size() >= 4 || (words.size() == 3 && !tonic_of(words[1])) ? 1 : 0;
  if (words.size() < at + 2) return bad("the key has too few parts");
  KeyField key;
  if (at == 1) key.number = to_utf8_line(words[0]);
  const auto unit = whole_number(words[at]);
  if (!unit || *unit < 1 || *unit > kFinestUnit) return bad("the smallest note is not a number from 1 to 1024");
  key.unit = *unit;
  const auto tonic = tonic_of(words[at + 1]);
  if (!tonic) return bad("the tonic is not the name of a note");
  key.tonic = *tonic;
  for (std::size_t i = at + 2; i < words.size() && key.metres.size() < kMostMetres; ++i) {
    if (words[i].find('%') != std::string_view::npos) continue;  // a grouping of beats
    if (const auto metre = metre_of(words[i])) {
      key.metres.push_back(*metre);
    } else {
      remarks.add("esac-bad-metre", "a metre that cannot be read is left out", place_of(field));
    }
  }
  return key;
}

}  // namespace rondo::esac
