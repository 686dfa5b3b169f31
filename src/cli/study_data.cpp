#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/study.h"
#include "cli/terminal.h"
#include "study/care.h"
#include "study/json.h"
#include "study/votes.h"

namespace rondo::cli {
namespace {

using study::Json;

void print_json(const Json& json) {
  print_to(stdout, "{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json summary_json(const study::Summary& one) {
  return {{"name", one.settings.name}, {"title", one.settings.title},        {"state", to_string(one.settings.state)},
          {"queries", one.queries},    {"participants", one.participants},   {"finished", one.finished},
          {"votes", one.votes},        {"simulated", one.settings.simulated}};
}

int print_studies(study::Studies& studies, const StudyArguments& options) {
  auto list = studies.list();
  if (!list) return report(list.error());
  if (options.format == "json") {
    Json out = Json::array();
    for (const study::Summary& one : *list) out.push_back(summary_json(one));
    print_json(out);
    return kSuccess;
  }
  Table table({{"name", Table::Align::left, true},
               {"title", Table::Align::left, true},
               {"state"},
               {"queries", Table::Align::right},
               {"people", Table::Align::right},
               {"finished", Table::Align::right},
               {"votes", Table::Align::right}});
  for (const study::Summary& one : *list) {
    const std::string title =
        fmt::format("{}{}", one.settings.simulated ? "[simulated] " : "", printable(one.settings.title));
    table.row({one.settings.name, title, std::string(to_string(one.settings.state)), std::to_string(one.queries),
               std::to_string(one.participants), std::to_string(one.finished), std::to_string(one.votes)});
  }
  table.print(stdout);
  return kSuccess;
}

std::size_t done_count(const study::Participant& one) {
  return static_cast<std::size_t>(
      std::count_if(one.answers.begin(), one.answers.end(), [](const study::Answer& a) { return a.done; }));
}

int print_study(study::Studies& studies, const StudyArguments& options) {
  auto study = studies.load(options.name, true);
  if (!study) return report(study.error());
  if (options.format == "json") {
    Json out = Json::array();
    for (const study::Participant& one : study->participants) {
      const study::Care care = study::care_of(*study, one);
      out.push_back({{"number", one.number},
                     {"label", one.label},
                     {"joined", one.joined},
                     {"last_seen", one.last_seen},
                     {"answered", one.answers.size()},
                     {"done", done_count(one)},
                     {"excluded", one.excluded},
                     {"care",
                      {{"planted", care.planted},
                       {"misplaced", care.misplaced},
                       {"unchanged", care.unchanged},
                       {"saves", care.saves},
                       {"seconds", care.seconds ? Json(*care.seconds) : Json(nullptr)}}}});
    }
    print_json({{"name", study->settings.name},
                {"title", study->settings.title},
                {"state", to_string(study->settings.state)},
                {"simulated", study->settings.simulated},
                {"queries", study->queries.size()},
                {"withdrawn", study->withdrawn},
                {"participants", std::move(out)}});
    return kSuccess;
  }
  Table table({{"number", Table::Align::right},
               {"label", Table::Align::left, true},
               {"origin"},
               {"last seen"},
               {"begun", Table::Align::right},
               {"done", Table::Align::right},
               {"query misplaced", Table::Align::right},
               {"unchanged", Table::Align::right},
               {"seconds", Table::Align::right},
               {"left out", Table::Align::left, true}});
  for (const study::Participant& one : study->participants) {
    const study::Care care = study::care_of(*study, one);
    table.row({std::to_string(one.number), printable(one.label), printable(one.origin),
               printable(std::string_view(one.last_seen).substr(0, 16)), std::to_string(one.answers.size()),
               fmt::format("{}/{}", done_count(one), study->queries.size()),
               care.planted == 0 ? "-" : fmt::format("{}/{}", care.misplaced, care.planted),
               std::to_string(care.unchanged), care.seconds ? fmt::format("{:.0f}", *care.seconds) : "-",
               printable(one.excluded)});
  }
  table.print(stdout);
  if (study->withdrawn != 0) print_to(stderr, "{} withdrew\n", study->withdrawn);
  print_to(stderr, "{}{}: {}\n", study->settings.simulated ? "[simulated] " : "", printable(study->settings.title),
           to_string(study->settings.state));
  return kSuccess;
}

int import_votes(study::Studies& studies, const StudyArguments& options, const std::string& text) {
  auto study = studies.load(options.study);
  if (!study) return report(study.error());
  auto votes = study::read_votes(text);
  if (!votes) {
    votes.error().place.file = options.file;
    return report(votes.error());
  }
  auto voters = study::voters_of(*votes, *study);
  if (!voters) return report(voters.error());
  if (auto done = studies.import_votes(options.study, *voters, kWho); !done) return report(done.error());
  print_to(stderr, "{} votes of {} participants\n", grouped(votes->size()), grouped(voters->size()));
  return kSuccess;
}

}  // namespace

int study_status(const StudyArguments& options) {
  if (auto collection = Collection::open(options.db, OpenMode::read); !collection) return report(collection.error());
  auto studies = study::Studies::open(options.db, OpenMode::read);
  if (!studies && studies.error().code == "studies-missing" && options.name.empty()) {
    if (options.format == "json") print_json(Json::array());
    print_to(stderr, "this collection has no studies yet; 'rondo study create' makes one\n");
    return kSuccess;
  }
  if (!studies) return report(studies.error());
  return options.name.empty() ? print_studies(*studies, options) : print_study(*studies, options);
}

int study_export(const StudyArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::read);
  if (!studies) return report(studies.error());
  auto study = studies->load(options.name, options.format != "csv");
  if (!study) return report(study.error());
  const std::string text = options.format == "csv" ? study::votes_csv(*study) : study::to_json(*study);
  write_to(stdout, text);
  return kSuccess;
}

int study_import(const StudyArguments& options) {
  auto text = read_file(options.file);
  if (!text) return report(text.error());
  if (auto collection = Collection::open(options.db, OpenMode::read); !collection) return report(collection.error());
  auto studies = study::Studies::open(options.db, OpenMode::create);
  if (!studies) return report(studies.error());
  if (!options.study.empty()) return import_votes(*studies, options, *text);
  auto study = study::study_from_json(*text);
  if (!study) {
    study.error().place.file = options.file;
    return report(study.error());
  }
  if (auto done = studies->add(*study, kWho); !done) return report(done.error());
  print_to(stderr, "{}{}: {} queries, {} participants\n", study->settings.simulated ? "[simulated] " : "",
           study->settings.name, study->queries.size(), study->participants.size());
  return kSuccess;
}

}  // namespace rondo::cli
