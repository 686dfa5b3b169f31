#include "formats/mei/values.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rondo::mei {
namespace {

struct DurationRow {
  std::string_view name;
  Fraction value;
  bool mensural;
};

// Mensural values are read as imperfect; the mensuration is not evaluated.
constexpr DurationRow kDurations[] = {
    {"4", {1, 4}, false},     {"8", {1, 8}, false},         {"16", {1, 16}, false},     {"2", {1, 2}, false},
    {"1", {1, 1}, false},     {"32", {1, 32}, false},       {"64", {1, 64}, false},     {"128", {1, 128}, false},
    {"256", {1, 256}, false}, {"512", {1, 512}, false},     {"1024", {1, 1024}, false}, {"2048", {1, 2048}, false},
    {"breve", {2, 1}, false}, {"long", {4, 1}, false},      {"maxima", {8, 1}, true},   {"longa", {4, 1}, true},
    {"brevis", {2, 1}, true}, {"semibrevis", {1, 1}, true}, {"minima", {1, 2}, true},   {"semiminima", {1, 4}, true},
    {"fusa", {1, 8}, true},   {"semifusa", {1, 16}, true}};

struct AccidentalRow {
  std::string_view name;
  Accidental value;
};

constexpr AccidentalRow kAccidentals[] = {
    {"s", {1, false}},   {"f", {-1, false}}, {"n", {0, false}},  {"ss", {2, false}}, {"x", {2, false}},
    {"ff", {-2, false}}, {"xs", {3, false}}, {"sx", {3, false}}, {"ts", {3, false}}, {"tf", {-3, false}},
    {"nf", {-1, false}}, {"ns", {1, false}}, {"1qs", {0, true}}, {"1qf", {0, true}}, {"3qs", {1, true}},
    {"3qf", {-1, true}}, {"su", {1, true}},  {"sd", {1, true}},  {"fu", {-1, true}}, {"fd", {-1, true}},
    {"nu", {0, true}},   {"nd", {0, true}},  {"xu", {2, true}},  {"xd", {2, true}},  {"ffu", {-2, true}},
    {"ffd", {-2, true}}};

constexpr std::array<std::string_view, 16> kTransparent = {
    "lem", "rdg",      "corr",    "sic",     "orig",   "reg",      "expan", "abbr",
    "add", "supplied", "unclear", "restore", "damage", "retained", "hand",  "seg"};

/// MEI 5 says keysig, MEI 3 and 4 key.sig; on a keySig element it is sig.
std::string_view signature_text(pugi::xml_node node) {
  for (const char* name : {"keysig", "key.sig", "sig"}) {
    if (const std::string_view text = xml::attribute(node, name); !text.empty()) return text;
  }
  return {};
}

/// "0", "2s", "3f": fifths; nullopt for "mixed" and what is none.
std::optional<int> fifths_of(std::string_view text) {
  if (text == "0") return 0;
  if (text.size() < 2) return std::nullopt;
  const auto count = xml::integer(text.substr(0, text.size() - 1), 0, 14);
  if (!count || (text.back() != 's' && text.back() != 'f')) return std::nullopt;
  return text.back() == 's' ? *count : -*count;
}

std::optional<KeySignature> mixed_signature(pugi::xml_node node) {
  KeySignature signature;
  bool any = false;
  for (pugi::xml_node accid : node.children("keyAccid")) {
    const std::string_view pname = xml::attribute(accid, "pname");
    const int step = pname.size() == 1 ? step_of_letter(pname.front()) : -1;
    const auto alter = accidental_of(xml::attribute(accid, "accid"));
    if (step < 0 || !alter) continue;
    signature.alter[static_cast<std::size_t>(step)] = static_cast<std::int8_t>(std::clamp(alter->alter, -2, 2));
    any = true;
  }
  return any ? std::optional(signature) : std::nullopt;
}

std::string_view either(pugi::xml_node node, const char* first, const char* second) {
  const std::string_view text = xml::attribute(node, first);
  return text.empty() ? xml::attribute(node, second) : text;
}

NotatedMeter meter_of(pugi::xml_node node, const std::string& prefix) {
  const std::string_view count = xml::attribute(node, (prefix + "count").c_str());
  return {std::string(count), xml::integer(xml::attribute(node, (prefix + "unit").c_str()), 1, 1024).value_or(4)};
}

}  // namespace

Ids::Ids(pugi::xml_node root) {
  for (pugi::xml_node node = root; node; node = xml::next_element(node, root)) {
    if (const std::string_view id = id_of(node); !id.empty()) by_id_.emplace(id, node);
  }
}

pugi::xml_node Ids::find(std::string_view reference) const {
  const auto found = by_id_.find(target_of(reference));
  return found == by_id_.end() ? pugi::xml_node() : found->second;
}

std::string_view id_of(pugi::xml_node node) { return xml::attribute(node, "xml:id"); }

std::string_view target_of(std::string_view reference) {
  if (reference.starts_with('#')) reference.remove_prefix(1);
  return reference;
}

bool has_token(std::string_view list, std::string_view token) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find_first_of(" \t\r\n", from), list.size());
    if (list.substr(from, end - from) == token) return true;
    from = end + 1;
  }
  return false;
}

std::optional<Duration> duration_of(std::string_view dur) {
  for (const DurationRow& row : kDurations) {
    if (row.name == dur) return Duration{row.value, row.mensural};
  }
  return std::nullopt;
}

std::optional<Accidental> accidental_of(std::string_view accid) {
  for (const AccidentalRow& row : kAccidentals) {
    if (row.name == accid) return row.value;
  }
  return std::nullopt;
}

std::optional<Clef> clef_of(pugi::xml_node node, const std::string& prefix) {
  const std::string_view shape = xml::attribute(node, (prefix + "shape").c_str());
  struct Row {
    std::string_view name;
    char shape;
    int line;
  };
  constexpr Row kRows[] = {{"G", 'G', 2},  {"F", 'F', 4},    {"C", 'C', 3},
                           {"GG", 'g', 2}, {"perc", 'P', 3}, {"TAB", 'T', 5}};
  for (const Row& row : kRows) {
    if (row.name != shape) continue;
    Clef clef;
    clef.shape = row.shape;
    const std::string_view line = xml::attribute(node, (prefix + "line").c_str());
    clef.line = static_cast<std::int8_t>(xml::integer(line, 1, 6).value_or(row.line));
    const bool below = xml::attribute(node, (prefix + "dis.place").c_str()) == "below";
    if (clef.shape == 'G' && below && !xml::attribute(node, (prefix + "dis").c_str()).empty()) clef.shape = 'g';
    return clef;
  }
  return std::nullopt;
}

WrittenKey key_of(pugi::xml_node node) {
  WrittenKey written;
  const std::string_view text = signature_text(node);
  const auto fifths = fifths_of(text);
  if (fifths) {
    written.signature = signature_of_fifths(*fifths);
  } else {
    written.signature = mixed_signature(node);
  }
  const auto mode = mode_of_name(either(node, "key.mode", "mode"));
  const std::string_view pname = either(node, "key.pname", "pname");
  const int step = pname.size() == 1 ? step_of_letter(pname.front()) : -1;
  if (mode && step >= 0) {
    const auto alter = accidental_of(either(node, "key.accid", "accid")).value_or(Accidental{});
    written.key = Key{static_cast<std::int8_t>(step), static_cast<std::int8_t>(std::clamp(alter.alter, -2, 2)), *mode};
  } else if (mode && fifths) {
    written.key = key_of_fifths(*fifths, *mode);
  }
  return written;
}

std::optional<TimeSignature> time_of(pugi::xml_node node, const std::string& prefix) {
  const std::string_view sym = xml::attribute(node, (prefix + "sym").c_str());
  const std::string_view form = xml::attribute(node, (prefix + "form").c_str());
  MeterSign sign = form == "num" ? MeterSign::single_number : MeterSign::numbers;
  if (sym == "common") sign = MeterSign::common;
  if (sym == "cut") sign = MeterSign::cut;
  NotatedMeter meter = meter_of(node, prefix);
  if (meter.count.empty()) {
    if (sign == MeterSign::common) meter = {"4", 4};
    if (sign == MeterSign::cut) meter = {"2", 2};
  }
  if (!meter.count.empty()) return notated_time(std::span(&meter, 1), sign);
  if (prefix.empty() && xml::name_of(node) == "meterSig") return TimeSignature{0, 4, {}};
  return std::nullopt;
}

std::optional<TimeSignature> time_of_group(pugi::xml_node group) {
  std::vector<NotatedMeter> meters;
  for (pugi::xml_node meter : group.children("meterSig")) {
    if (meters.size() < 16) meters.push_back(meter_of(meter, ""));
  }
  const std::string_view func = xml::attribute(group, "func");
  if (func == "alternating" && !meters.empty()) meters.resize(1);
  return notated_time(meters, MeterSign::numbers);
}

Fraction tuplet_ratio(pugi::xml_node node) {
  const auto whole = [&](const char* name) -> std::optional<std::int64_t> {
    const auto value = xml::number(xml::attribute(node, name));
    return value && value->den() == 1 && value->num() > 0 ? std::optional(value->num()) : std::nullopt;
  };
  if (xml::attribute(node, "num").empty()) return Fraction(2, 3);
  const auto num = whole("num");
  if (!num) return 1;
  if (const auto numbase = whole("numbase")) return Fraction(*numbase, *num);
  // 3 for 2, 5 to 7 for 4, and so on; two and four notes are found in compound time, for three.
  if (*num == 2 || *num == 4) return Fraction(3, *num);
  return *num == 1 ? Fraction(1)
                   : Fraction(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(*num - 1))), *num);
}

Markup markup_of(std::string_view name) {
  if (name == "app" || name == "choice" || name == "subst") return Markup::alternatives;
  if (name == "del" || name == "gap") return Markup::deleted;
  return std::find(kTransparent.begin(), kTransparent.end(), name) != kTransparent.end() ? Markup::transparent
                                                                                         : Markup::none;
}

pugi::xml_node preferred(pugi::xml_node alternatives) {
  for (const char* name : {"lem", "corr", "reg", "expan", "add"}) {
    if (pugi::xml_node found = alternatives.child(name)) return found;
  }
  for (pugi::xml_node child : alternatives.children()) {
    if (child.type() == pugi::node_element && markup_of(xml::name_of(child)) == Markup::transparent) return child;
  }
  return {};
}

}  // namespace rondo::mei
