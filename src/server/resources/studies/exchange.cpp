#include <fmt/format.h>

#include "base/utf8.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"
#include "study/json.h"
#include "study/studies.h"
#include "study/votes.h"

/// Import and export of studies and votes.
namespace rondo::server {
namespace {

Response attached(std::string_view type, std::string text, std::string_view name, std::string_view ending) {
  Response response = text_response(200, type, std::move(text));
  response.set("Content-Disposition", fmt::format("attachment; filename=\"{}{}\"", name, ending));
  return response;
}

Json votes_json(const study::Study& study) {
  Json votes = Json::array();
  for (const study::Vote& vote : study::votes_of(study)) {
    votes.push_back({{"participant", vote.participant},
                     {"query", vote.query},
                     {"candidate", vote.candidate.empty() ? Json(nullptr) : Json(vote.candidate)},
                     {"rank", vote.candidate.empty() ? Json(nullptr) : Json(vote.rank)}});
  }
  return {{"study", study.settings.name}, {"simulated", study.settings.simulated}, {"votes", std::move(votes)}};
}

Response import_votes(const Call& call, study::Studies& studies, const std::string& name) {
  auto study = studies.load(name);
  if (!study) return problem(study.error());
  auto votes = study::read_votes(call.request.body);
  if (!votes) return problem(votes.error());
  auto voters = study::voters_of(*votes, *study);
  if (!voters) return problem(voters.error());
  if (auto done = studies.import_votes(name, *voters, kWho); !done) return problem(done.error());
  return created({{"study", name}, {"participants", voters->size()}, {"votes", votes->size()}});
}

}  // namespace

Response get_study_votes(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"format"}); !known) return problem(known.error());
  const std::string_view accepted = negotiate(header(call.request.headers, "Accept"), {"text/csv", "application/json"});
  const std::string_view form = arguments.text("format", accepted == "application/json" ? "json" : "csv");
  if (form != "csv" && form != "json") return problem(Error{"argument-format", "'format' is csv or json", {}, {}});
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  const std::string& name = call.path_parameters.front();
  auto study = (*studies)->load(name);
  if (!study) return problem(study.error());
  if (form == "json") return json_response(votes_json(*study));
  return attached("text/csv; charset=utf-8", study::votes_csv(*study), name, "-votes.csv");
}

Response get_study_export(const Call& call) {
  if (auto known = call.target.arguments.only({}); !known) return problem(known.error());
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto study = (*studies)->load(call.path_parameters.front(), true);
  if (!study) return problem(study.error());
  if (auto done = (*studies)->note(kWho, study->settings.name, "export"); !done) return problem(done.error());
  return attached("application/json", study::to_json(*study), study->settings.name, "-study.json");
}

Response get_study_audit(const Call& call) {
  if (auto known = call.target.arguments.only({}); !known) return problem(known.error());
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  auto lines = (*studies)->audit(call.path_parameters.front());
  if (!lines) return problem(lines.error());
  Json out = Json::array();
  for (const study::AuditLine& line : *lines) {
    out.push_back({{"at", line.at}, {"who", line.who}, {"what", line.what}, {"detail", line.detail}});
  }
  return json_response({{"audit", std::move(out)}});
}

Response post_study_import(const Call& call) {
  const Arguments& arguments = call.target.arguments;
  if (auto known = arguments.only({"study"}); !known) return problem(known.error());
  auto studies = call.session.studies();
  if (!studies) return problem(studies.error());
  if (!is_utf8(call.request.body)) return problem(Error{"study-json", "the text is not UTF-8", {}, {}});
  if (arguments.has("study")) return import_votes(call, **studies, std::string(arguments.text("study")));
  auto study = study::study_from_json(call.request.body);
  if (!study) return problem(study.error());
  if (auto done = (*studies)->add(*study, kWho); !done) return problem(done.error());
  return created({{"study", study->settings.name},
                  {"participants", study->participants.size()},
                  {"votes", study::votes_of(*study).size()}});
}

}  // namespace rondo::server
