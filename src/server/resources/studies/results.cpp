#include "study/results.h"

#include <fmt/format.h>

#include <charconv>

#include "report/tables.h"
#include "server/access/access_control.h"
#include "server/problem.h"
#include "server/resources/resources.h"
#include "server/resources/studies/body.h"
#include "server/session.h"

namespace rondo::server {

/// One state of a study, with the analysis of its votes.
struct AccessControl::AnalysedStudy {
  study::Study study;
  study::Analysis analysis;
};

namespace {

/// Which votes count: `unfinished=true`, `min_votes=3`.
Result<study::VoteOptions> votes_in(const Arguments& arguments) {
  study::VoteOptions votes;
  auto unfinished = arguments.flag("unfinished", false);
  if (!unfinished) return fail(std::move(unfinished.error()));
  votes.unfinished = *unfinished;
  const std::string_view text = arguments.text("min_votes", "1");
  const auto read = std::from_chars(text.data(), text.data() + text.size(), votes.minimum_votes);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || votes.minimum_votes == 0) {
    return fail("argument-min_votes", "'min_votes' is a whole number from 1 up");
  }
  return votes;
}

Result<study::GroupingOptions> options_in(const Arguments& arguments, const std::vector<std::string_view>& others) {
  std::vector<std::string_view> known = {"rule", "threshold", "unfinished", "min_votes"};
  known.insert(known.end(), others.begin(), others.end());
  if (auto fine = arguments.only(known); !fine) return fail(std::move(fine.error()));
  study::GroupingOptions options;
  const auto rule = study::rule_of(arguments.text("rule", "paper"));
  if (!rule) return fail("argument-rule", "'rule' is paper, all, any or previous");
  options.rule = *rule;
  const std::string_view text = arguments.text("threshold", "0.25");
  const auto read = std::from_chars(text.data(), text.data() + text.size(), options.threshold);
  const bool fine = read.ec == std::errc{} && read.ptr == text.data() + text.size() && options.threshold >= 0 &&
                    options.threshold <= 1;
  if (!fine) return fail("argument-threshold", "'threshold' is a number from 0 to 1");
  return options;
}

/// Cached for every state of the study, independent of the rule.
Result<std::shared_ptr<const AccessControl::AnalysedStudy>> analysed(const Call& call) {
  constexpr auto kPatience = std::chrono::seconds(60);
  auto votes = votes_in(call.target.arguments);
  if (!votes) return fail(std::move(votes.error()));
  auto studies = call.session.studies();
  if (!studies) return fail(std::move(studies.error()));
  const std::string& name = call.path_parameters.front();
  auto state = (*studies)->state_of(name);
  if (!state) return fail(std::move(state.error()));
  return call.session.app.access_control().analysed.get(
      fmt::format("{}/{}/{}/{}", name, *state, votes->unfinished, votes->minimum_votes), Clock::now() + kPatience,
      [&]() -> Result<std::shared_ptr<const AccessControl::AnalysedStudy>> {
        auto study = (*studies)->load(name);
        if (!study) return fail(std::move(study.error()));
        study::Analysis analysis = study::analyse(*study, *votes);
        return std::make_shared<const AccessControl::AnalysedStudy>(
            AccessControl::AnalysedStudy{std::move(*study), std::move(analysis)});
      });
}

struct TruthType {
  std::string_view name;
  std::string_view type;
  evaluation::TruthForm form;
};
constexpr std::array kTruthTypes = {TruthType{"groups", "text/plain; charset=utf-8", evaluation::TruthForm::kGroups},
                                    TruthType{"qrels", "text/plain; charset=utf-8", evaluation::TruthForm::kQrels},
                                    TruthType{"json", "application/json", evaluation::TruthForm::kJson}};

}  // namespace

Response get_study_results(const Call& call) {
  auto options = options_in(call.target.arguments, {});
  if (!options) return problem(options.error());
  auto known = analysed(call);
  if (!known) return problem(known.error());
  auto json = study::results_json((*known)->study, (*known)->analysis, *options);
  return json ? json_response(*json) : problem(json.error());
}

Response get_study_truth(const Call& call) {
  auto options = options_in(call.target.arguments, {"format"});
  if (!options) return problem(options.error());
  const std::string_view word = call.target.arguments.text("format", "groups");
  const auto form =
      std::find_if(kTruthTypes.begin(), kTruthTypes.end(), [&](const TruthType& one) { return one.name == word; });
  if (form == kTruthTypes.end()) return problem(Error{"argument-format", "'format' is groups, qrels or json", {}, {}});
  auto known = analysed(call);
  if (!known) return problem(known.error());
  auto text = evaluation::write_truth(study::truth_of((*known)->study, (*known)->analysis, *options), form->form);
  return text ? text_response(200, form->type, std::move(*text)) : problem(text.error());
}

Response get_study_tables(const Call& call) {
  auto options = options_in(call.target.arguments, {"complete"});
  if (!options) return problem(options.error());
  auto complete = call.target.arguments.flag("complete", false);
  if (!complete) return problem(complete.error());
  auto known = analysed(call);
  if (!known) return problem(known.error());
  auto page = report::tables_page((*known)->study, (*known)->analysis, *options, *complete);
  if (!page) return problem(page.error());
  Response response = text_response(200, "text/html; charset=utf-8", std::move(*page));
  response.set("Content-Disposition",
               fmt::format("attachment; filename=\"{}-tables.html\"", call.path_parameters.front()));
  return response;
}

}  // namespace rondo::server
