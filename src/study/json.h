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
/// Error `ranking-malformed`. Whether the codes are known is for `check` to say.
[[nodiscard]] Result<Ranking> ranking_from(const Json& json);

/// Null where there is none.
[[nodiscard]] Json background_json(const std::optional<Background>& background);
/// Error `background-malformed`, and those of `check`.
[[nodiscard]] Result<Background> background_from(const Json& json);

[[nodiscard]] Json folded_json(const std::vector<Folded>& folded);

/// With the path that the code opens in this study.
[[nodiscard]] Json invitations_json(std::string_view study, const std::vector<Invitation>& invitations);

/// What is set for a study, as members of an object.
[[nodiscard]] Json settings_json(const Settings& settings);

/// A whole study as text, to be read again elsewhere with the same results. Codes of participants are not in it: nobody
/// can join by it.
[[nodiscard]] std::string to_json(const Study& study);
/// Anything may stand in the text. Error `study-json` says what is wrong and where, besides those of `check`.
[[nodiscard]] Result<Study> study_from_json(std::string_view text);

}  // namespace rondo::study
