#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/studies.h"

/// Studies and their parts as JSON: what the file, the API and exports share. docs/studies.md describes it.
namespace rondo::study {

using Json = nlohmann::ordered_json;

/// [["a"], ["b", "c"]].
[[nodiscard]] inline Json ranking_json(const Ranking& ranking) { return ranking; }
/// Error `ranking-malformed`. Does not check whether the codes are known; see `check`.
[[nodiscard]] Result<Ranking> ranking_from(const Json& json);

/// Null if there is none.
[[nodiscard]] Json background_json(const std::optional<Background>& background);
/// Error `background-malformed`, and those of `check`.
[[nodiscard]] Result<Background> background_from(const Json& json);

[[nodiscard]] Json folded_json(const std::vector<Folded>& folded);

/// With the path of the link that contains the code.
[[nodiscard]] Json invitations_json(std::string_view study, const std::vector<Invitation>& invitations);

/// The settings of a study, as members of an object.
[[nodiscard]] Json settings_json(const Settings& settings);

/// A whole study as text, which gives the same results when read on another machine. It does not contain codes of
/// participants, so nobody can join with it.
[[nodiscard]] std::string to_json(const Study& study);
/// Safe for any text. Errors: `study-json`, which says what is wrong and where, and those of `check`.
[[nodiscard]] Result<Study> study_from_json(std::string_view text);

}  // namespace rondo::study
