#include "formats/shown.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "formats/pae.h"
#include "formats/readers.h"

namespace rondo {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename T>
void cut(std::vector<Change<T>>& changes, Fraction end) {
  std::erase_if(changes, [&](const Change<T>& change) { return change.onset >= end; });
}

}  // namespace

Voice beginning_of(const Voice& voice, std::size_t notes) {
  Voice out = voice;
  if (out.notes.size() <= notes) return out;
  out.notes.resize(notes);
  out.length = 0;
  for (const Note& note : out.notes) out.length = std::max(out.length, note.end());
  std::erase_if(out.bars, [&](Fraction bar) { return bar >= out.length; });
  cut(out.clefs, out.length);
  cut(out.key_signatures, out.length);
  cut(out.keys, out.length);
  cut(out.times, out.length);
  return out;
}

std::string pae_line(const Voice& voice) {
  const auto text = to_pae(voice);
  return text ? to_single_line(*text) : std::string();
}

std::string notes_text(const Voice& voice) {
  std::string out = "[";
  const auto add = [&](double number) {
    std::array<char, 64> text{};
    // As the library writes numbers of a document.
    out.append(text.data(), nlohmann::detail::to_chars(text.data(), text.data() + text.size(), number));
  };
  for (const Note& note : voice.notes) {
    out += out.size() == 1 ? R"({"onset":)" : R"(,{"onset":)";
    add(note.onset.to_double());
    out += R"(,"duration":)";
    add(note.duration.to_double());
    out += R"(,"midi":)" + std::to_string(note.pitch.midi()) + R"(,"name":")" + note.pitch.to_string() + '"';
    out += note.grace ? R"(,"grace":true})" : "}";
  }
  return out + "]";
}

OrderedJson notes_json(const Voice& voice) { return json_or_null<OrderedJson>(notes_text(voice), kLargeJson); }

OrderedJson engraving_json(const Voice& voice) {
  auto mei = write_engraving(voice);
  return mei ? OrderedJson(std::move(*mei)) : OrderedJson(nullptr);
}

}  // namespace rondo
