#include "formats/jsonl/piece.h"
#include "rondo/melody/builder.h"

namespace rondo::jsonl {
namespace {

/// Reads one voice; the first problem ends it.
class VoiceReader {
 public:
  VoiceReader(const Json& object, const std::string& path, std::size_t& rounded, Diagnostics& warnings)
      : object_(object), path_(path), rounded_(rounded), warnings_(warnings) {}

  Result<Voice> run() {
    if (const Json* name = member("voice"); name != nullptr && name->is_string())
      builder_.name(name->get<std::string>());
    signatures();
    // Graces first: at one onset they come before the notes they ornament.
    if (auto done = notes("graces", "grace_spelling", true); !done) return fail(std::move(done.error()));
    if (auto done = notes("notes", "spelling", false); !done) return fail(std::move(done.error()));
    if (auto done = length_and_bars(); !done) return fail(std::move(done.error()));
    auto voice = builder_.finish();
    if (!voice) voice.error().message = at("notes") + ": " + voice.error().message;
    return voice;
  }

 private:
  [[nodiscard]] const Json* member(std::string_view key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  [[nodiscard]] std::string at(std::string_view key) const { return path_ + std::string(key); }
  [[nodiscard]] std::string at(std::string_view key, std::size_t index) const {
    return at(key) + "[" + std::to_string(index) + "]";
  }
  static Failure bad(const std::string& where, const std::string& what, std::string hint = {}) {
    return fail("jsonl-value", where + ": " + what, {}, std::move(hint));
  }
  void unread(std::string_view key) {
    warnings_.push_back({"jsonl-signature-unread", at(key) + " cannot be read and is left out", {}, {}});
  }

  /// A constant value, or a list of changes [onset, value].
  template <typename Read, typename Put>
  void changes(std::string_view key, Read read, Put put) {
    const Json* value = member(key);
    if (value == nullptr) return;
    if (const auto single = read(*value)) {
      put(Fraction(), *single);
      return;
    }
    bool all = value->is_array();
    if (all) {
      for (const Json& change : *value) {
        const bool pair = change.is_array() && change.size() == 2;
        const auto onset = pair ? read_time(change[0], rounded_) : std::nullopt;
        const auto held = pair ? read(change[1]) : decltype(read(change))();
        all = all && onset && held;
        if (onset && held) put(*onset, *held);
      }
    }
    if (!all) unread(key);
  }

  void signatures() {
    changes("clef", read_clef, [this](Fraction onset, const Clef& value) { builder_.clef(onset, value); });
    changes("key_signature", read_key_signature, [this](Fraction onset, const KeySignature& value) {
      builder_.key_signature(onset, value);
      if (signatures_.empty()) signatures_.push_back({onset, value});
    });
    const Json* key = member("key");
    const auto as_signature = key == nullptr || read_key(*key) ? std::nullopt : read_key_signature(*key);
    if (as_signature) {  // "key": "xFC" is not what the word says, but what it means is clear
      builder_.key_signature(Fraction(), *as_signature);
      if (signatures_.empty()) signatures_.push_back({Fraction(), *as_signature});
    } else {
      changes("key", read_key, [this](Fraction onset, const Key& value) { builder_.key(onset, value); });
    }
    changes("time", read_time_signature,
            [this](Fraction onset, const TimeSignature& value) { builder_.time(onset, value); });
  }

  Result<void> notes(std::string_view key, std::string_view spelling_key, bool grace) {
    const Json* list = member(key);
    if (list == nullptr) return {};
    if (!list->is_array()) return bad(at(key), "this is not a list", "write [[onset, duration, midi], ...]");
    const Json* spelling = member(spelling_key);
    if (spelling != nullptr && (!spelling->is_array() || spelling->size() != list->size())) {
      return bad(at(spelling_key), "this must be a list as long as " + std::string(key));
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& item = (*list)[i];
      if (!item.is_array() || item.size() != 3) return bad(at(key, i), "this is not [onset, duration, midi]");
      const auto onset = read_time(item[0], rounded_);
      const auto duration = read_time(item[1], rounded_);
      if (!onset || !duration) {
        return bad(at(key, i), std::string("the ") + (onset ? "duration" : "onset") + " is not a time",
                   "write a fraction of a whole note: \"1/8\", 0.125");
      }
      const auto midi = read_whole(item[2]);
      if (!midi || *midi < 0 || *midi > 127)
        return bad(at(key, i), "the MIDI number is not a whole number of 0 to 127");
      bool spelled = false;
      auto pitch = spelled_pitch(spelling == nullptr ? Json() : (*spelling)[i], static_cast<int>(*midi), spelled);
      if (!pitch)
        return bad(at(spelling_key, i), "this is not a name of the pitch " + std::to_string(*midi), "\"F#4\" is 66");
      if (grace) {
        builder_.grace(*onset, *duration, *pitch);
      } else {
        builder_.note(*onset, *duration, *pitch, false, spelled);
      }
      if (builder_.failed()) break;
    }
    return {};
  }

  /// "F#4" as the source spells it; "F#4?" a guess; null: guess now.
  [[nodiscard]] std::optional<Pitch> spelled_pitch(const Json& name, int midi, bool& spelled) const {
    if (name.is_null()) return guessed_pitch(midi, signatures_);
    if (!name.is_string()) return std::nullopt;
    std::string_view text = name.get_ref<const std::string&>();
    spelled = !text.ends_with('?');
    if (!spelled) text.remove_suffix(1);
    const auto pitch = Pitch::parse(text);
    return pitch && pitch->midi() == midi ? pitch : std::nullopt;
  }

  Result<void> length_and_bars() {
    if (const Json* value = member("length")) {
      const auto length = read_time(*value, rounded_);
      if (!length) return bad(at("length"), "this is not a time");
      builder_.lasts_until(*length);
    }
    const Json* bars = member("bars");
    if (bars == nullptr) return {};
    if (!bars->is_array()) return bad(at("bars"), "this is not a list");
    for (std::size_t i = 0; i < bars->size(); ++i) {
      const auto onset = read_time((*bars)[i], rounded_);
      if (!onset) return bad(at("bars", i), "this is not a time");
      builder_.bar(*onset);
    }
    return {};
  }

  const Json& object_;
  const std::string& path_;
  std::size_t& rounded_;
  Diagnostics& warnings_;
  VoiceBuilder builder_;
  std::vector<Change<KeySignature>> signatures_;  ///< the first, for guesses
};

}  // namespace

Result<Voice> read_voice(const Json& object, const std::string& path, std::size_t& rounded, Diagnostics& warnings) {
  return VoiceReader(object, path, rounded, warnings).run();
}

}  // namespace rondo::jsonl
