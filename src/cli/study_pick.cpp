#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/study.h"
#include "cli/terminal.h"
#include "study/picks.h"

namespace rondo::cli {
namespace {

Result<void> decide(study::Studies& studies, const CandidateSet& set, const StudyArguments& options) {
  auto done = study::save_picks(studies, set, options.keep, study::Pick::keep);
  if (done) done = study::save_picks(studies, set, options.drop, study::Pick::drop);
  if (done) done = study::save_picks(studies, set, options.undecide, study::Pick::undecided);
  if (!done || !options.drop_undecided) return done;
  auto picks = study::load_picks(studies, set);
  if (!picks) return fail(std::move(picks.error()));
  std::vector<std::string> rest;
  for (const Candidate& one : set.candidates) {
    if (study::can_be_picked(set, one) && !picks->contains(one.id)) rest.push_back(one.id);
  }
  return study::save_picks(studies, set, rest, study::Pick::drop);
}

void print_picks(const CandidateSet& set, const study::Picks& picks, const std::string& format) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  Table table({{"id", Table::Align::left, true}, {"found by", Table::Align::left, true}, {"decision"}});
  for (const Candidate& one : set.candidates) {
    if (!study::can_be_picked(set, one)) continue;
    const auto at = picks.find(one.id);
    const std::string decision(to_string(at == picks.end() ? study::Pick::undecided : at->second));
    table.row({one.id, one.origin, decision});
    list.push_back({{"id", one.id}, {"origin", one.origin}, {"pick", decision}});
  }
  const study::PickCounts counts = study::count_picks(set, picks);
  if (format == "json") {
    const nlohmann::ordered_json all = {
        {"set", set.name},     {"query", set.recipe.query},     {"keep", counts.keep},
        {"drop", counts.drop}, {"undecided", counts.undecided}, {"candidates", std::move(list)}};
    print_to(stdout, "{}\n", all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  table.print(stdout);
  print_to(stderr, "{}: {} kept, {} dropped, {} undecided; a study of it will show {}\n", set.name, counts.keep,
           counts.drop, counts.undecided, counts.shown());
}

}  // namespace

int study_pick(const StudyArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto set = load_candidates(*collection, options.name);
  if (!set) return report(set.error());
  auto studies = study::Studies::open(options.db, OpenMode::create);
  if (!studies) return report(studies.error());
  if (auto done = decide(*studies, *set, options); !done) return report(done.error());
  auto picks = study::load_picks(*studies, *set);
  if (!picks) return report(picks.error());
  print_picks(*set, *picks, options.format);
  return kSuccess;
}

}  // namespace rondo::cli
