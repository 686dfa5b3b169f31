#include <optional>

#include "formats/pae.h"
#include "formats/pae/notation.h"
#include "formats/pae/perform.h"
#include "formats/pae/remarks.h"
#include "formats/pae/signs.h"

namespace rondo {

using pae::EventKind;

struct PaeParser::State {
  pae::Score score;
  pae::NotationText text;
  pae::Notation notation;
  pae::Performer performer;
  PaeVersion version = PaeVersion::v1;

  void read_header(const PaeFields& fields, bool liberal, Voice& voice, pae::Remarks& remarks);

  struct HeaderField {
    std::string_view value;
    char sign;
    std::string_view name;
    std::string_view unknown_code;
    std::string_view hint;
  };
  template <typename T>
  void read_part(const HeaderField& field, std::optional<T> (*read)(std::string_view), std::vector<T>& values,
                 EventKind kind, pae::Remarks& remarks);
};

namespace {

std::optional<PaeVersion> stated_version(std::string_view text) {
  text = pae::trimmed(text);
  if (text.empty()) return std::nullopt;
  if (text == "2" || text == "pe2") return PaeVersion::v2;
  if (text == "1" || text == "pe" || text == "pe1") return PaeVersion::v1;
  return std::nullopt;
}

}  // namespace

/// Reads one header field with `read` and puts its value at the beginning of the score.
template <typename T>
void PaeParser::State::read_part(const HeaderField& field, std::optional<T> (*read)(std::string_view),
                                 std::vector<T>& values, EventKind kind, pae::Remarks& remarks) {
  const pae::FieldText bare = pae::bare_field(field.value, field.sign);
  if (bare.marked) {
    remarks.warn("pae-header-mark", "marks around the value of a header field were left out", field.name, 1,
                 "the field contains only the value, such as G-2, bBE or 3/4");
  }
  if (bare.text.empty()) return;
  auto value = read(bare.text);
  if (!value) {
    remarks.warn(field.unknown_code, "the value of this field is unknown and was left out", field.name, 1, field.hint);
    return;
  }
  pae::Event& event = score.events.emplace_back();
  event.kind = kind;
  event.value = static_cast<std::uint32_t>(values.size());
  values.push_back(std::move(*value));
}

void PaeParser::State::read_header(const PaeFields& fields, bool liberal, Voice& voice, pae::Remarks& remarks) {
  if (!liberal && !fields.states_no_clef && pae::trimmed(fields.clef).empty()) {
    remarks.warn("pae-clef-missing", "there is no clef", "clef", 0);
  }
  read_part({fields.clef, '%', "clef", "pae-clef-unknown", "clefs look like G-2, C+1, F-4"}, pae::read_clef,
            score.clefs, EventKind::clef, remarks);
  read_part(
      {fields.key_signature, '$', "keysig", "pae-key-signature-unknown", "key signatures look like xFC or bBEA"},
      +[](std::string_view part) { return pae::read_key_signature(part); }, score.keys, EventKind::key, remarks);
  read_part({fields.time_signature, '@', "timesig", "pae-time-unknown", "time signatures look like 3/4, c or c/"},
            pae::read_time, score.times, EventKind::time, remarks);
  const std::string_view key = pae::trimmed(fields.key);
  if (key.empty()) return;
  if (const auto value = Key::parse(key)) {
    voice.keys.push_back({Fraction(), *value});
  } else {
    remarks.warn("pae-key-unknown", "the value of this field is unknown and was left out", "key", 1,
                 "keys look like G, g, B|b or F# minor");
  }
}

PaeParser::PaeParser() : state_(std::make_unique<State>()) {}
PaeParser::~PaeParser() = default;

PaeVersion PaeParser::version() const { return state_->version; }

Result<void> PaeParser::parse(const PaeFields& fields, const PaeOptions& options, Voice& voice, Diagnostics& warnings) {
  State& s = *state_;
  voice.clear();
  s.score.clear();
  pae::Remarks remarks(warnings);
  s.read_header(fields, options.liberal, voice, remarks);

  std::string_view data = fields.data;
  while (!data.empty() && pae::is_blank(data.back())) data.remove_suffix(1);
  s.text.set(data, options.liberal, remarks);
  const bool version_2_clef = fields.clef.find_first_of("*:") != std::string_view::npos;
  const bool version_2_time = fields.time_signature.find('|') != std::string_view::npos;
  const bool looks_like_2 = s.text.version_2_signs() || version_2_clef || version_2_time;
  s.version = stated_version(fields.version).value_or(looks_like_2 ? PaeVersion::v2 : PaeVersion::v1);

  if (auto read = s.notation.read(s.text, s.version, options.liberal, s.score, remarks); !read) return read;
  if (s.notation.items() == 0 && !s.score.has_bars && s.notation.ornaments() == 0) {
    Place place;
    place.field = "data";
    return fail("pae-no-notation", "there is no notation", std::move(place));
  }
  auto performed = s.performer.perform(s.score, options.expand_repeats, voice);
  if (!performed && performed.error().place.field.empty()) performed.error().place.field = "data";
  return performed;
}

}  // namespace rondo
