#include <algorithm>
#include <array>

#include "formats/abc/signs.h"
#include "formats/abc/text.h"

namespace rondo::abc {
namespace {

struct ClefName {
  std::string_view word;
  char shape;
  std::int8_t line;
};
// Longer words first, so that "mezzosoprano" does not match "mezzo".
constexpr std::array kClefs = {
    ClefName{"treble", 'G', 2},   ClefName{"mezzosoprano", 'C', 2}, ClefName{"mezzo", 'C', 2},
    ClefName{"soprano", 'C', 1},  ClefName{"alto", 'C', 3},         ClefName{"tenor", 'C', 4},
    ClefName{"baritone", 'F', 3}, ClefName{"bass", 'F', 4},         ClefName{"perc", 'P', 3},
};

struct ModeName {
  std::string_view start;  ///< the significant letters
  Mode mode;
};
constexpr std::array kModes = {
    ModeName{"maj", Mode::major},   ModeName{"min", Mode::minor},    ModeName{"mix", Mode::mixolydian},
    ModeName{"dor", Mode::dorian},  ModeName{"phr", Mode::phrygian}, ModeName{"lyd", Mode::lydian},
    ModeName{"loc", Mode::locrian}, ModeName{"ion", Mode::ionian},   ModeName{"aeo", Mode::aeolian},
};

/// Settings of layout or of other programs that do not affect the result.
constexpr std::array<std::string_view, 22> kLayout = {
    "middle", "m",     "stafflines", "staffscale", "style",   "stem", "stems", "gstems", "dyn", "lyrics", "cue",
    "merge",  "space", "brace",      "bracket",    "subname", "snm",  "sname", "gchord", "gch", "up",     "down"};

/// A word, or a setting: name=value, where the value may be in quotes.
struct Word {
  std::string_view name;
  std::optional<std::string_view> value;
};

std::string_view take_while_word(Cursor& in) {
  const std::string_view rest = in.rest();
  const std::size_t end = std::min(rest.find_first_of(" \t="), rest.size());
  in.advance(end);
  return rest.substr(0, end);
}

Word next_word(Cursor& in) {
  Word word{in.peek() == '=' ? std::string_view{} : take_while_word(in), std::nullopt};
  if (word.name.empty()) {  // an accidental: =c
    const std::string_view rest = in.rest();
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    in.advance(end);
    return {rest.substr(0, end), std::nullopt};
  }
  const bool accidental = word.name[0] == '^' || word.name[0] == '_';
  if (accidental || !in.skip('=')) return word;
  if (in.skip('"')) {
    const std::string_view rest = in.rest();
    const std::size_t end = std::min(rest.find('"'), rest.size());
    in.advance(end + 1);
    word.value = rest.substr(0, end);
  } else {
    word.value = take_while_word(in);
  }
  return word;
}

/// "D=c" is the key of D with C natural, not a setting: those begin with lower-case letters.
void part_tonic_from_natural(std::vector<Word>& words, std::string_view text) {
  if (words.empty() || !words[0].value || words[0].name[0] < 'A' || words[0].name[0] > 'H') return;
  const std::string_view first = text.substr(0, std::min(text.find_first_of(" \t"), text.size()));
  words.insert(words.begin() + 1, Word{first.substr(words[0].name.size()), std::nullopt});
  words[0].value.reset();
}

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  Cursor in(text);
  for (in.skip_spaces(); !in.done(); in.skip_spaces()) words.push_back(next_word(in));
  return words;
}

std::optional<int> small_number(std::string_view text) {
  Cursor in(trim(text));
  const bool minus = in.skip('-');
  if (!minus) in.skip('+');
  const auto value = in.number();
  if (!value || *value > 127) return std::nullopt;
  return minus ? -static_cast<int>(*value) : static_cast<int>(*value);
}

/// "bass3", "treble-8", "G2", "none".
bool read_clef(std::string_view text, StaffSettings& into) {
  const std::string word = lower(text);
  if (word == "none" || word == "auto") {
    into.clef_octave = 0;
    return true;
  }
  Clef clef;
  std::string_view rest = word;
  bool found = false;
  for (const ClefName& name : kClefs) {
    if (!rest.starts_with(name.word)) continue;
    clef.shape = name.shape;
    clef.line = name.line;
    rest.remove_prefix(name.word.size());
    found = true;
    break;
  }
  if (!found && !rest.empty() && std::string_view("gcfp").find(rest[0]) != std::string_view::npos) {
    clef.shape = static_cast<char>(rest[0] & ~0x20);
    clef.line = rest[0] == 'g' ? 2 : rest[0] == 'f' ? 4 : 3;
    rest.remove_prefix(1);
    found = true;
  }
  if (!found) return false;
  if (!rest.empty() && rest[0] >= '1' && rest[0] <= '5') {
    clef.line = static_cast<std::int8_t>(rest[0] - '0');
    rest.remove_prefix(1);
  }
  int octave = 0;
  if (rest == "-8" || rest == "_8") octave = -1;
  if (rest == "+8" || rest == "^8") octave = 1;
  if (rest == "-15" || rest == "_15") octave = -2;
  if (rest == "+15" || rest == "^15") octave = 2;
  if (octave == 0 && !rest.empty()) return false;
  if (octave == -1 && clef.shape == 'G') clef.shape = 'g';
  into.clef = clef;
  into.clef_octave = octave;
  return true;
}

bool is_layout(std::string_view name) {
  for (const std::string_view known : kLayout) {
    if (name == known) return true;
  }
  return false;
}

void read_setting(const Word& word, StaffSettings& into, Oddities& odd) {
  const auto strange = [&] {
    odd.push_back({"abc-setting-unknown", quoted(word.name) + " is not a setting of a key or voice"});
  };
  if (word.name.empty()) return;
  if (!word.value) {
    // A single letter could be the shape of a clef, but here it is more likely a mistake in the name of the key.
    if (word.name.size() < 3 || !read_clef(word.name, into)) {
      if (!is_layout(lower(word.name))) strange();
    }
    return;
  }
  const std::string name = lower(word.name);
  if (name == "clef") {
    if (!read_clef(*word.value, into)) {
      odd.push_back({"abc-clef-unknown", quoted(*word.value) + " is not a clef"});
    }
  } else if (name == "transpose" || name == "t") {
    into.transpose = small_number(*word.value);
    if (!into.transpose) strange();
  } else if (name == "octave") {
    into.octave = small_number(*word.value);
    if (!into.octave || *into.octave > 10 || *into.octave < -10) {
      into.octave.reset();
      strange();
    }
  } else if (name == "name" || name == "nm") {
    into.name = decode(*word.value);
  } else if (!is_layout(name)) {
    strange();
  }
}

std::optional<Mode> find_mode(std::string_view word) {
  if (word.empty() || word == "M") return Mode::major;
  const std::string low = lower(word);
  if (low == "m") return Mode::minor;
  for (const ModeName& name : kModes) {
    if (low.starts_with(name.start)) return name.mode;
  }
  return std::nullopt;
}

/// Accidentals written into the signature: "^f", "_b_e", "=c". False where the word is something else.
bool read_accidentals(std::string_view word, KeySignature& signature) {
  Cursor in(word);
  while (!in.done()) {
    int alter = 0;
    bool any = false;
    while (in.peek() == '^' || in.peek() == '_' || in.peek() == '=') {
      const char mark = in.take();
      alter += mark == '^' ? 1 : mark == '_' ? -1 : 0;
      any = true;
    }
    const int step = step_of_letter(in.take());
    if (!any || step < 0) return false;
    signature.alter[static_cast<std::size_t>(step)] = static_cast<std::int8_t>(std::clamp(alter, -2, 2));
  }
  return true;
}

/// "es" and "is" of German names, which real files have ("Es", "As", "Fis"); 0 where it is none.
int german_alter(std::string_view word, int step) {
  const std::string low = lower(word);
  if (low == "is") return 1;
  if (low == "es" || (low == "s" && (step == 2 || step == 5))) return -1;
  return 0;
}

Oddity capital_m() {
  return {"abc-mode-ambiguous", "'M' is read as major; 'm' or 'min' is minor, 'maj' is unambiguously major"};
}

void say_no_key(KeyField& field) {
  field.says_key = true;
  field.key.reset();
  field.signature = {};
}

/// Reads the tonic and a directly attached mode ("F#m", "Bb", "Amix"); false if there is no tonic.
bool read_tonic(std::string_view word, KeyField& field, bool& mode_may_follow, Oddities& odd) {
  Key key;
  Cursor in(word);
  const char letter = in.take();
  const int step = letter == 'H' ? 6 : step_of_letter(letter);
  if (step < 0) return false;
  key.step = static_cast<std::int8_t>(step);
  if (letter == 'H') odd.push_back({"abc-key-german", "the key H is read as B"});
  if (letter >= 'a' && letter <= 'g') odd.push_back({"abc-key-lowercase", "the tonic should be a capital letter"});
  if (in.skip('#')) {
    key.alter = 1;
  } else if (in.peek() == 'b') {
    in.take();
    key.alter = -1;
  }
  std::string_view rest = in.rest();
  std::string_view accidentals;
  if (const std::size_t at = rest.find_first_of("^_="); at != std::string_view::npos) {
    accidentals = rest.substr(at);
    rest = rest.substr(0, at);
  }
  if (const int german = german_alter(rest, step); german != 0) {
    key.alter = static_cast<std::int8_t>(german);
    rest = {};
    odd.push_back({"abc-key-german", "the German key name " + std::string(word) + " is read as " + key.to_string()});
  }
  const bool explicitly = lower(rest) == "exp";
  const std::optional<Mode> mode = explicitly ? Mode::major : find_mode(rest);
  if (rest == "M") odd.push_back(capital_m());
  if (!mode) odd.push_back({"abc-mode-unknown", quoted(rest) + " is not a mode; major is assumed"});
  key.mode = mode.value_or(Mode::major);
  field.key = key;
  field.says_key = true;
  field.signature = key.signature();
  if (explicitly) say_no_key(field);
  mode_may_follow = rest.empty() && accidentals.empty();
  if (!accidentals.empty() && !read_accidentals(accidentals, field.signature)) {
    odd.push_back({"abc-key-unknown", quoted(accidentals) + " is not an accidental of a key"});
  }
  return true;
}

/// The first word: a key of any kind. False if it is a setting and there is no key.
bool read_key_word(std::string_view word, KeyField& field, bool& mode_may_follow, Oddities& odd) {
  if (lower(word) == "none" || lower(word) == "exp") {
    say_no_key(field);
    return true;
  }
  if (word == "HP" || word == "Hp") {  // the chanter's scale; only Hp prints the sharps, both sound them
    field.says_key = true;
    field.signature = KeySignature::from_fifths(2);
    return true;
  }
  StaffSettings ignored;
  if (word.size() >= 3 && read_clef(word, ignored)) return false;
  return read_tonic(word, field, mode_may_follow, odd);
}

/// A mode separate from its tonic: "D dorian".
bool read_mode_word(const Word& word, KeyField& field, Oddities& odd) {
  if (word.value || !field.key) return false;
  const auto mode = find_mode(word.name);
  if (!mode) return false;
  if (word.name == "M") odd.push_back(capital_m());
  field.key->mode = *mode;
  field.signature = field.key->signature();
  return true;
}

void read_after_key(const Word& word, KeyField& field, Oddities& odd) {
  if (!word.value && lower(word.name) == "exp") {
    say_no_key(field);
  } else if (!word.value && std::string_view("^_=").find(word.name[0]) != std::string_view::npos) {
    field.says_key = true;
    if (!read_accidentals(word.name, field.signature)) {
      odd.push_back({"abc-key-unknown", quoted(word.name) + " is not an accidental of a key"});
    }
  } else {
    read_setting(word, field.settings, odd);
  }
}

}  // namespace

void StaffSettings::update(const StaffSettings& later) {
  if (later.clef) clef = later.clef;
  if (later.clef_octave) clef_octave = later.clef_octave;
  if (later.octave) octave = later.octave;
  if (later.transpose) transpose = later.transpose;
  if (later.name) name = later.name;
}

StaffSettings parse_settings(std::string_view text, Oddities& odd) {
  StaffSettings settings;
  for (const Word& word : split_words(text)) read_setting(word, settings, odd);
  return settings;
}

KeyField parse_key(std::string_view text, Oddities& odd) {
  KeyField field;
  std::vector<Word> words = split_words(trim(text));
  part_tonic_from_natural(words, trim(text));
  if (words.empty()) {
    say_no_key(field);
    return field;
  }
  std::size_t at = 0;
  bool mode_may_follow = false;
  if (!words[0].value && read_key_word(words[0].name, field, mode_may_follow, odd)) ++at;
  if (mode_may_follow && at < words.size() && read_mode_word(words[at], field, odd)) ++at;
  for (; at < words.size(); ++at) read_after_key(words[at], field, odd);
  return field;
}

}  // namespace rondo::abc
