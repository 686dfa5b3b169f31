#include "formats/musescore/header.h"

#include <algorithm>
#include <array>

namespace rondo::musescore {
namespace {

constexpr std::array<std::string_view, 5> kOtherNames = {"lyricist", "poet", "arranger", "translator", "creator"};

std::string part_name(pugi::xml_node part) {
  const pugi::xml_node instrument = part.child("Instrument");
  for (pugi::xml_node candidate :
       {instrument.child("longName"), part.child("trackName"), instrument.child("trackName")}) {
    if (auto name = xml::text_of(candidate); !name.empty()) return name;
  }
  return {};
}

bool is_true(pugi::xml_node flag) { return xml::trimmed(flag.child_value()) == "1"; }

/// The text that is shown as the title, in files whose properties have none.
std::string shown_title(pugi::xml_node score) {
  for (pugi::xml_node staff : score.children("Staff")) {
    for (pugi::xml_node box : staff.children("VBox")) {
      for (pugi::xml_node text : box.children("Text")) {
        const std::string_view style = xml::trimmed(text.child_value("style"));
        if (style == "Title" || style == "title") return xml::text_of(text.child("text"));
      }
    }
  }
  return {};
}

}  // namespace

std::optional<Clef> clef_of(std::string_view type) {
  if (type.empty()) return std::nullopt;
  Clef clef;
  if (type.starts_with("PERC")) {
    clef.shape = 'P';
    clef.line = 3;
    return clef;
  }
  if (type.starts_with("TAB")) {
    clef.shape = 'T';
    clef.line = 5;
    return clef;
  }
  clef.shape = type.front();
  if (clef.shape != 'G' && clef.shape != 'F' && clef.shape != 'C') return std::nullopt;
  clef.line = static_cast<std::int8_t>(clef.shape == 'G' ? 2 : clef.shape == 'F' ? 4 : 3);
  const std::string_view rest = type.substr(1);
  // "C4", "C4_8vb", "F3", "G1": the line, unless a size of octaves follows ("G8va", "G15ma").
  if (!rest.empty() && rest[0] >= '1' && rest[0] <= '5' && !rest.starts_with("15")) {
    clef.line = static_cast<std::int8_t>(rest[0] - '0');
  }
  if (rest == "_B") clef.line = 3;  // how version 2 calls the F clefs on the third and fifth line
  if (rest == "_C") clef.line = 5;
  if (clef.shape == 'G' && (rest.ends_with("vb") || rest.ends_with("mb") || rest.ends_with("vbo"))) clef.shape = 'g';
  return clef;
}

std::vector<StaffInfo> staves_of(pugi::xml_node score) {
  const bool concert_pitch = is_true(score.child("Style").child("concertPitch"));
  std::vector<StaffInfo> staves;
  for (pugi::xml_node part : score.children("Part")) {
    const pugi::xml_node instrument = part.child("Instrument");
    StaffInfo info;
    info.drums = is_true(instrument.child("useDrumset"));
    if (!concert_pitch) {
      const auto chromatic = xml::integer(instrument.child_value("transposeChromatic"), -60, 60);
      const auto diatonic = xml::integer(instrument.child_value("transposeDiatonic"), -60, 60);
      if (chromatic) info.to_sounding = Transposition::stated(*chromatic, diatonic);
    }
    const std::string name = part_name(part);
    const auto all = part.children("Staff");
    const bool several = std::distance(all.begin(), all.end()) > 1;
    int number = 0;
    for (pugi::xml_node staff : all) {
      ++number;
      info.name = name;
      if (several) info.name += (name.empty() ? "staff " : ", staff ") + std::to_string(number);
      info.clef = clef_of(xml::trimmed(staff.child_value("defaultClef"))).value_or(Clef{});
      info.repeats_another = static_cast<bool>(staff.child("linkedTo"));
      staves.push_back(info);
    }
  }
  return staves;
}

Metadata metadata_of(pugi::xml_node score) {
  Metadata metadata;
  std::string movement;
  for (pugi::xml_node tag : score.children("metaTag")) {
    const std::string_view name = xml::attribute(tag, "name");
    std::string text = xml::text_of(tag);
    if (text.empty()) continue;
    if (name == "workTitle") {
      metadata.title = std::move(text);
    } else if (name == "movementTitle") {
      movement = std::move(text);
    } else if (name == "composer") {
      metadata.composer = std::move(text);
    } else if (name == "source") {
      metadata.source = std::move(text);
    } else if (name == "workNumber") {
      metadata.catalogue.push_back(std::move(text));
    } else if (name == "copyright") {
      metadata.fields.emplace_back("rights", std::move(text));
    } else if (std::find(kOtherNames.begin(), kOtherNames.end(), name) != kOtherNames.end()) {
      metadata.fields.emplace_back(std::string(name), std::move(text));
    }
  }
  if (metadata.title.empty()) {
    metadata.title = std::move(movement);
  } else if (!movement.empty() && movement != metadata.title) {
    metadata.fields.emplace_back("movement", std::move(movement));
  }
  if (metadata.title.empty()) metadata.title = shown_title(score);
  return metadata;
}

}  // namespace rondo::musescore
