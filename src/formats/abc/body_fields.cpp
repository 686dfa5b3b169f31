#include <algorithm>

#include "formats/abc/body.h"
#include "formats/abc/text.h"
#include "formats/abc/voice_writer.h"
#include "melody/limits.h"

namespace rondo::abc {
namespace {

std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, std::min(text.find_first_of(" \t"), text.size()));
}

}  // namespace

Body::VoiceState* Body::find_voice(std::string_view id) {
  const auto at = std::find_if(voices_.begin(), voices_.end(), [&](const VoiceState& v) { return v.id == id; });
  return at == voices_.end() ? nullptr : &*at;
}

Body::VoiceState& Body::add_voice(std::string_view id) {
  if (voices_.size() >= limits::kVoicesPerPiece) {
    too_many_voices_ = true;
    return voices_.back();
  }
  VoiceState& added = voices_.emplace_back();
  added.id = id;
  if (begun_) begin_voice(added);
  return added;
}

/// Applies the settings of the header to a voice, then those of its V:.
void Body::begin_voice(VoiceState& voice) {
  voice.settings = defaults_.settings;
  voice.signs = defaults_.signs;
  voice.unit = defaults_.unit;
  voice.accidentals = defaults_.accidentals;
  apply_settings(voice, voice.own);
}

/// Called at the first music: the header and the fields before any music, which apply to all voices, are complete.
void Body::begin_music() {
  if (begun_) return;
  begun_ = true;
  for (VoiceState& each : voices_) begin_voice(each);
}

/// The current voice; a tune without V: has one implicitly.
Body::VoiceState& Body::voice() {
  begin_music();
  if (current_ == nullptr) current_ = voices_.empty() ? &add_voice("") : &voices_.front();
  current_->script.part(part_);
  return *current_;
}

Body::VoiceState& Body::target() { return begun_ ? voice() : defaults_; }

void Body::write_signs(VoiceState& voice) {
  voice.accidentals.key(voice.signs.signature);
  voice.transposition = Transposition(voice.settings.transpose.value_or(0), voice.signs.signature);
  voice.octave = voice.settings.octave.value_or(0) + voice.settings.clef_octave.value_or(0);
  if (&voice != &defaults_) voice.script.signs(voice.transposition(voice.signs));
}

void Body::apply_settings(VoiceState& voice, const StaffSettings& settings) {
  voice.settings.update(settings);
  if (settings.clef) voice.signs.clef = settings.clef;
  write_signs(voice);
}

void Body::set_key(VoiceState& voice, const KeyField& key) {
  if (key.says_key) {
    voice.signs.signature = key.signature;
    voice.signs.key = key.key;
  }
  apply_settings(voice, key.settings);
}

void Body::set_unit(std::string_view text, Oddities& odd) {
  const auto unit = parse_unit(text);
  if (!unit) {
    odd.push_back({"abc-unit-unknown", quoted(trim(text)) + " is not a unit note length"});
    return;
  }
  target().unit = *unit;
  if (!begun_) written_unit_ = unit;
}

bool Body::header_field(char letter, std::string_view text, std::uint32_t line) {
  switch (letter) {
    case 'V': header_voice(text, line); return true;
    case 'P': parts_ = text; return true;
    case 'U': define_symbol(text); return true;
    case 'I': directive(text); return true;
    case 'm':
    case 'K':
    case 'M':
    case 'L': return field(letter, text, line, 1);
    default: return false;
  }
}

void Body::begin() {
  if (const auto order = trim(order_of_parts_); !order.empty()) {
    if (const auto label = trim(parts_); !label.empty()) part_ = label.front();
    parts_ = order;
  }
  // Only the header's meter determines the unit length; later changes of meter do not.
  defaults_.unit = written_unit_.value_or(default_unit(defaults_.signs.time));
}

bool Body::field(char letter, std::string_view text, std::uint32_t line, std::uint32_t column) {
  Oddities odd;
  switch (letter) {
    case 'K': {
      KeyField key = parse_key(text, odd);
      if (unnamed_keys_.contains(++key_fields_)) key.key.reset();
      set_key(target(), key);
      break;
    }
    case 'M':
      target().signs.time = parse_meter(text, odd);
      write_signs(target());
      break;
    case 'L': set_unit(text, odd); break;
    case 'V': select_voice(text, line, column); break;
    case 'P':
      if (const auto label = trim(text); !label.empty()) part_ = label.front();
      break;
    case 'U': define_symbol(text); break;
    case 'I': directive(text); break;
    case 'm': odd.push_back({"abc-macro-ignored", "macros are not carried out"}); break;
    case 'r':
    case 's': break;
    default: return false;
  }
  report_.warn(std::move(odd), line, column);
  return true;
}

void Body::define_voice(VoiceState& voice, std::string_view settings, std::uint32_t line, std::uint32_t column) {
  if (trim(settings).empty()) return;
  Oddities odd;
  const StaffSettings said = parse_settings(settings, odd);
  voice.own.update(said);
  if (begun_) apply_settings(voice, said);
  report_.warn(std::move(odd), line, column);
}

void Body::header_voice(std::string_view text, std::uint32_t line) {
  const std::string_view id = first_word(text);
  if (id.empty()) return;
  VoiceState* known = find_voice(id);
  define_voice(known != nullptr ? *known : add_voice(id), trim(text).substr(id.size()), line, 1);
}

void Body::select_voice(std::string_view text, std::uint32_t line, std::uint32_t column) {
  const std::string_view id = first_word(text);
  if (id.empty() || id == "*") return;
  begin_music();
  VoiceState* known = find_voice(id);
  current_ = known != nullptr ? known : &add_voice(id);
  define_voice(*current_, trim(text).substr(id.size()), line, column);
}

/// "U: T = !trill!": the letter becomes an ornament. Notes, rests and signs cannot be redefined.
void Body::define_symbol(std::string_view text) {
  text = trim(text);
  if (text.empty()) return;
  const char c = text.front();
  if ((c >= 'H' && c <= 'W') || (c >= 'h' && c <= 'w') || c == '~') user_symbols_.insert(c);
}

void Body::directive(std::string_view text) {
  text = trim(text);
  if (text.starts_with(kUnnamedKeys)) {
    Cursor in(text.substr(kUnnamedKeys.size()));
    for (in.skip_spaces(); const auto number = in.number(); in.skip_spaces()) unnamed_keys_.insert(*number);
    return;
  }
  constexpr std::string_view kPropagate = "propagate-accidentals";
  if (!text.starts_with(kPropagate)) return;
  const std::string how = lower(trim(text.substr(kPropagate.size())));
  const Propagation chosen = how == "not"      ? Propagation::none
                             : how == "octave" ? Propagation::octave
                                               : Propagation::pitch;
  target().accidentals.propagate(chosen);
}

PlayOptions Body::play_options(bool expand_repeats, std::uint32_t line) {
  Oddities odd;
  PlayOptions options;
  options.expand_repeats = expand_repeats;
  options.parts = expand_parts(parts_, odd);
  report_.warn(std::move(odd), line, 1);
  return options;
}

Result<std::vector<Voice>> Body::finish(bool expand_repeats) {
  if (too_many_voices_) {
    return fail("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices in one tune");
  }
  const PlayOptions options = play_options(expand_repeats, line_);
  const auto dangling = [this](const ScriptNote& note) {
    report_.warn("abc-tie-dangling", "no note of the same pitch follows this tie", note.line, note.column);
  };
  std::vector<Voice> voices;
  for (VoiceState& each : voices_) {
    if (each.script.empty()) continue;
    if (each.broken_waits) warn("abc-broken-rhythm-dangling", "no note follows < or > at the end of the voice", 0);
    if (each.tuplet.notes > 0) warn("abc-tuplet-short", "the voice ends before its last tuplet is complete", 0);
    auto voice = play(each.script, options, each.settings.name.value_or(each.id), dangling);
    if (!voice) return fail(std::move(voice.error()));
    if (!voice->notes.empty() || !voice->length.is_zero()) voices.push_back(std::move(*voice));
  }
  return voices;
}

}  // namespace rondo::abc
