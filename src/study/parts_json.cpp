#include "study/json.h"

namespace rondo::study {

Json invitations_json(std::string_view study, const std::vector<Invitation>& invitations) {
  Json out = Json::array();
  for (const Invitation& one : invitations) {
    out.push_back(
        {{"number", one.number}, {"label", one.label}, {"code", one.code}, {"path", code_path(study, one.code)}});
  }
  return out;
}

Json settings_json(const Settings& settings) {
  return {{"name", settings.name},
          {"title", settings.title},
          {"simulated", settings.simulated},
          {"instructions", settings.instructions},
          {"consent", settings.consent},
          {"ties", settings.ties},
          {"plant_query", settings.plant_query},
          {"state", to_string(settings.state)},
          {"seed", settings.seed},
          {"created", settings.created}};
}

Result<Ranking> ranking_from(const Json& json) {
  const auto malformed = [] {
    return fail("ranking-malformed", "a ranking is a list of lists of codes", {}, R"(like [["a"], ["b", "c"]])");
  };
  if (!json.is_array() || json.size() > kMostStudyCandidates) return malformed();
  Ranking ranking;
  for (const Json& tier : json) {
    if (!tier.is_array() || tier.size() > kMostStudyCandidates) return malformed();
    std::vector<std::string> codes;
    for (const Json& code : tier) {
      if (!code.is_string()) return malformed();
      codes.push_back(code.get<std::string>());
    }
    ranking.push_back(std::move(codes));
  }
  return ranking;
}

Json background_json(const std::optional<Background>& background) {
  if (!background) return nullptr;
  return {{"years", background->years ? Json(*background->years) : Json(nullptr)},
          {"instruments", background->instruments},
          {"remarks", background->remarks}};
}

Result<Background> background_from(const Json& json) {
  const auto malformed = [](const char* what) { return fail("background-malformed", what); };
  if (!json.is_object()) return malformed("the background is an object with years, instruments and remarks");
  Background out;
  if (const auto years = json.find("years"); years != json.end() && !years->is_null()) {
    if (!years->is_number()) return malformed("years are a number, or null");
    out.years = years->get<double>();
  }
  if (const auto instruments = json.find("instruments"); instruments != json.end()) {
    if (!instruments->is_array()) return malformed("instruments are a list of texts");
    for (const Json& name : *instruments) {
      if (!name.is_string()) return malformed("instruments are a list of texts");
      out.instruments.push_back(name.get<std::string>());
    }
  }
  if (const auto remarks = json.find("remarks"); remarks != json.end()) {
    if (!remarks->is_string()) return malformed("remarks are a text");
    out.remarks = remarks->get<std::string>();
  }
  if (auto fine = check(out); !fine) return fail(std::move(fine.error()));
  return out;
}

Json folded_json(const std::vector<Folded>& folded) {
  Json out = Json::array();
  for (const Folded& one : folded) out.push_back({{"id", one.id}, {"relation", one.relation}});
  return out;
}

}  // namespace rondo::study
