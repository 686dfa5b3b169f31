#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/mixture.h"

namespace rondo {
namespace {

/// A parsed NAME=VALUE.
struct Setting {
  std::string_view name;
  double value = 0;
};

Result<std::vector<Setting>> read_settings(std::span<const std::string> texts) {
  std::vector<Setting> out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const char* const end = text.data() + text.size();
    Setting setting;
    bool good = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
    if (good) {
      const auto read = std::from_chars(text.data() + equals + 1, end, setting.value);
      good = read.ec == std::errc() && read.ptr == end;
    }
    if (!good) return fail("parameter-malformed", fmt::format("'{}' is not NAME=NUMBER", text));
    setting.name = std::string_view(text).substr(0, equals);
    out.push_back(setting);
  }
  return out;
}

/// Splits "a+(b:c+d)+e" at the plus signs outside parentheses.
Result<std::vector<std::string_view>> split_parts(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t open = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (list[i] == '+' && open == 0)) {
      parts.push_back(list.substr(begin, i - begin));
      begin = i + 1;
    } else if (list[i] == '(') {
      ++open;
    } else if (list[i] == ')') {
      if (open == 0) return fail("parts-malformed", fmt::format("'{}' has a ')' without '('", list));
      --open;
    }
  }
  if (open != 0) return fail("parts-malformed", fmt::format("'{}' has a '(' without ')'", list));
  return parts;
}

/// The name of a part, without its parentheses.
Result<std::string_view> name_in(std::string_view part, std::string_view whole) {
  if (part.empty()) {
    return fail("part-empty", fmt::format("'{}' has a part without a name", whole), {},
                "name systems with + between: rrf:shapeh+P3");
  }
  if (part.front() == '(' && part.back() == ')') return part.substr(1, part.size() - 2);
  if (part.find_first_of(":()") != std::string_view::npos) {
    return fail("parts-malformed", fmt::format("'{}' is not the name of a part", part), {},
                "a part with parts of its own stands in parentheses: rrf:(combsum:shapeh+time)+P3");
  }
  return part;
}

Result<ChosenSystem> resolve(std::string_view name, std::span<const Setting> settings, std::size_t depth);

/// Takes the settings of a part, those that begin with "PART.", without this prefix.
std::vector<Setting> taken_by(std::string_view part, std::vector<Setting>& settings) {
  std::vector<Setting> taken;
  std::erase_if(settings, [&](const Setting& setting) {
    const bool mine =
        setting.name.size() > part.size() && setting.name.starts_with(part) && setting.name[part.size()] == '.';
    if (mine) taken.push_back({setting.name.substr(part.size() + 1), setting.value});
    return mine;
  });
  return taken;
}

Result<std::vector<Part>> make_parts(std::string_view list, std::string_view whole, std::vector<Setting>& settings,
                                     std::size_t depth) {
  auto names = split_parts(list);
  if (!names) return fail(std::move(names.error()));
  if (names->size() > kMostParts) {
    return fail("parts-too-many", fmt::format("a mixture of {} parts", names->size()), {},
                fmt::format("it may have {}", kMostParts));
  }
  std::vector<Part> parts;
  for (const std::string_view written : *names) {
    const auto name = name_in(written, whole);
    if (!name) return fail(name.error());
    if (std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.name == *name; })) {
      return fail("part-twice", fmt::format("'{}' has the part '{}' twice", whole, *name));
    }
    auto part = resolve(*name, taken_by(*name, settings), depth + 1);
    if (!part) return fail(std::move(part.error()));
    parts.push_back({part->row, std::move(part->name), std::move(part->system)});
  }
  return parts;
}

Result<ChosenSystem> resolve(std::string_view name, std::span<const Setting> settings, std::size_t depth) {
  const std::size_t colon = name.find(':');
  const auto row = system_row(name.substr(0, colon));
  if (!row) return fail(row.error());
  const bool names_parts = colon != std::string_view::npos;
  if (names_parts && (*row)->make_of == nullptr) {
    std::string takers;
    for (const SystemRow* other : systems()) {
      if (other->make_of != nullptr) takers += fmt::format("{}{}", takers.empty() ? "" : ", ", other->name);
    }
    return fail("parts-unwanted", fmt::format("'{}' has no parts that can be chosen", (*row)->name), {},
                fmt::format("these are: {}", takers));
  }
  const auto too_deep = [&] {
    return fail("parts-too-deep", fmt::format("'{}' nests fusions too deeply", name), {},
                "name the systems it is made of instead");
  };
  std::vector<Setting> own(settings.begin(), settings.end());
  std::vector<Part> parts;
  if ((*row)->make_of != nullptr) {
    // Checked before its parts: a malicious name may have any number of parentheses.
    if (depth > kDeepestMixture) return too_deep();
    auto made = make_parts(names_parts ? name.substr(colon + 1) : (*row)->standard_parts, name, own, depth);
    if (!made) return fail(std::move(made.error()));
    parts = std::move(*made);
  }
  Parameters parameters((*row)->parameters);
  for (const Setting& setting : own) {
    if (auto done = parameters.set(setting.name, setting.value); !done) return fail(std::move(done.error()));
  }
  ChosenSystem chosen{*row, std::string(name), (*row)->shortest, nullptr};
  chosen.system = (*row)->make_of != nullptr ? (*row)->make_of(parameters, std::move(parts)) : (*row)->make(parameters);
  if (const Mixture* mixture = chosen.system->mixture()) {
    if (depth > kDeepestMixture) return too_deep();
    chosen.shortest = mixture->shortest();
  }
  return chosen;
}

}  // namespace

Result<const SystemRow*> system_row(std::string_view name) {
  if (const SystemRow* row = find_system(name)) return row;
  std::string names;
  for (const SystemRow* row : systems()) names += fmt::format("{}{}", names.empty() ? "" : ", ", row->name);
  return fail("system-unknown", fmt::format("there is no system '{}'", name), {}, fmt::format("there are: {}", names));
}

Result<ChosenSystem> resolve_system(std::string_view name, std::span<const std::string> settings) {
  const auto read = read_settings(settings);
  if (!read) return fail(read.error());
  return resolve(name, *read, 1);
}

}  // namespace rondo
