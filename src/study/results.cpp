#include "study/results.h"

#include <fmt/format.h>

#include "formats/shown.h"
#include "study/json.h"

namespace rondo::study {
namespace {

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// Library and shelfmark, as shown to readers.
std::string library_and_shelfmark(const Metadata& metadata) {
  if (metadata.library.empty() || metadata.shelfmark.empty()) return metadata.library + metadata.shelfmark;
  return fmt::format("{} {}", metadata.library, metadata.shelfmark);
}

Json melody_json(const Piece& piece) {
  const Voice& voice = piece.voices.front();
  return {{"id", piece.id},
          {"title", piece.metadata.title},
          {"composer", piece.metadata.composer},
          {"shelfmark", library_and_shelfmark(piece.metadata)},
          {"pae", pae_line(voice)},
          {"mei", engraving_json(voice)},
          {"notes", notes_json(voice)}};
}

/// A melody known only by its id, as from a table of votes without a collection.
Json bare_json(const std::string& id) {
  return {{"id", id},  {"title", ""},    {"composer", ""},        {"shelfmark", ""},
          {"pae", ""}, {"mei", nullptr}, {"notes", Json::array()}};
}

Result<Json> shown(const MelodyCopy& melody) {
  if (melody.json.empty()) return bare_json(melody.id);
  auto piece = piece_of(melody);
  if (!piece) return fail(std::move(piece.error()));
  return melody_json(*piece);
}

Result<Json> candidate_json(const Candidate& candidate, const Figures& figures, std::size_t group, bool border,
                            const std::vector<statistics::PValue>& p) {
  auto out = shown(candidate.melody);
  if (!out) return out;
  Json& json = *out;
  json["planted"] = candidate.planted;
  json["ranks"] = figures.ranks;
  json["votes"] = figures.votes();
  json["median"] = number(figures.median);
  json["mean"] = number(figures.mean);
  json["deviation"] = number(figures.deviation);
  json["q1"] = number(figures.q1);
  json["q3"] = number(figures.q3);
  json["p10"] = number(figures.p10);
  json["p90"] = number(figures.p90);
  json["group"] = group;
  json["border_above"] = border;
  json["p"] = Json::array();
  for (const statistics::PValue& one : p) json["p"].push_back(one.value());
  json["folded"] = folded_json(candidate.folded);
  return out;
}

Result<Json> candidates_json(const Query& query, const QueryAnalysis& analysis,
                             const std::vector<std::size_t>& groups) {
  Json out = Json::array();
  for (std::size_t i = 0; i < analysis.judged.size(); ++i) {
    const Judged& judged = analysis.judged[i];
    const bool border = i > 0 && groups[i] != groups[i - 1];
    auto one = candidate_json(query.candidates[judged.candidate], judged.figures, groups[i] + 1, border, analysis.p[i]);
    if (!one) return one;
    out.push_back(std::move(*one));
  }
  for (const std::size_t index : analysis.too_few) {
    auto one = candidate_json(query.candidates[index], {}, 0, false, {});
    if (!one) return one;
    (*one)["too_few"] = true;
    out.push_back(std::move(*one));
  }
  for (const std::size_t index : analysis.unranked) {
    auto one = candidate_json(query.candidates[index], {}, 0, false, {});
    if (!one) return one;
    out.push_back(std::move(*one));
  }
  return out;
}

Json experience_json(const Experience& experience) {
  Json instruments = Json::array();
  for (const auto& [name, count] : experience.instruments) instruments.push_back({{"name", name}, {"count", count}});
  return {{"years", experience.years}, {"instruments", instruments}};
}

void add_documents(const Candidate& candidate, std::vector<std::string>& to) {
  if (!candidate.planted) to.push_back(candidate.melody.id);
  for (const Folded& folded : candidate.folded) to.push_back(folded.id);
}

evaluation::QueryTruth query_truth(const Query& query, const QueryAnalysis& analysis, const GroupingOptions& options) {
  evaluation::QueryTruth truth;
  truth.query = query.melody.id;
  const std::vector<std::size_t> groups = group(analysis.p, options);
  if (!groups.empty()) truth.groups.resize(groups.back() + 1);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    add_documents(query.candidates[analysis.judged[i].candidate], truth.groups[groups[i]]);
  }
  // A group of the planted query alone.
  std::erase_if(truth.groups, [](const auto& documents) { return documents.empty(); });
  for (const std::size_t index : analysis.unranked) add_documents(query.candidates[index], truth.not_relevant);
  return truth;
}

}  // namespace

evaluation::Truth truth_of(const Study& study, const Analysis& analysis, const GroupingOptions& options) {
  evaluation::Truth truth;
  truth.query_excluded = true;
  for (std::size_t i = 0; i < study.queries.size(); ++i) {
    if (analysis.queries[i].answers == 0) continue;
    truth.queries.push_back(query_truth(study.queries[i], analysis.queries[i], options));
  }
  return truth;
}

Result<Json> results_json(const Study& study, const Analysis& analysis, const GroupingOptions& options) {
  Json queries = Json::array();
  for (std::size_t i = 0; i < study.queries.size(); ++i) {
    const Query& query = study.queries[i];
    const QueryAnalysis& about = analysis.queries[i];
    const std::vector<std::size_t> groups = group(about.p, options);
    const Consistency consistent = consistency(about.p, groups, options.threshold);
    auto melody = shown(query.melody);
    if (!melody) return melody;
    auto candidates = candidates_json(query, about, groups);
    if (!candidates) return candidates;
    Json one = {{"number", i + 1}, {"label", query.label}};
    one.update(*melody);
    one["votes"] = about.answers;
    one["unfinished"] = about.unfinished;
    one["excluded"] = about.excluded;
    one["groups"] = groups.empty() ? 0 : groups.back() + 1;
    one["consistency"] = {
        {"contradicting", consistent.contradicting}, {"pairs", consistent.pairs}, {"share", consistent.share()}};
    one["agreement"] = {{"kendall_w", number(about.agreement.kendall_w)},
                        {"mean_tau", number(about.agreement.mean_tau)},
                        {"raters", about.agreement.raters}};
    one["candidates"] = std::move(*candidates);
    queries.push_back(std::move(one));
  }
  Json left_out = Json::array();
  for (const Participant& one : study.participants) {
    if (!one.excluded.empty()) left_out.push_back({{"number", one.number}, {"reason", one.excluded}});
  }
  return Json{{"votes",
               {{"unfinished", analysis.votes.unfinished},
                {"minimum", analysis.votes.minimum_votes},
                {"left_out", std::move(left_out)},
                {"withdrawn", study.withdrawn}}},
              {"study", study.settings.name},
              {"title", study.settings.title},
              {"rule", to_string(options.rule)},
              {"threshold", options.threshold},
              {"simulated", study.settings.simulated},
              {"participants", study.participants.size()},
              {"queries", std::move(queries)},
              {"experience", experience_json(analysis.experience)}};
}

}  // namespace rondo::study
