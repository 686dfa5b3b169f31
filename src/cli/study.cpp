#include "cli/study.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "study/access.h"
#include "study/json.h"
#include "study/secrets.h"

namespace rondo::cli {
namespace {

Result<void> read_into(const std::string& path, std::string& text) {
  if (path.empty()) return {};
  auto read = read_file(path);
  if (!read) return fail(std::move(read.error()));
  text = std::move(*read);
  return {};
}

Result<std::uint64_t> seed_of(const std::string& text) {
  if (text.empty()) return study::random_seed();
  std::uint64_t seed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || seed > study::kMostSeed) {
    return fail("study-seed", fmt::format("'{}' is not a whole number up to {}", text, study::kMostSeed));
  }
  return seed;
}

int create(const StudyArguments& options) {
  study::Settings settings;
  settings.name = options.name;
  settings.title = options.title.empty() ? options.name : options.title;
  settings.ties = options.ties;
  settings.plant_query = options.plant_query;
  settings.simulated = options.simulated;
  if (auto done = read_into(options.instructions, settings.instructions); !done) return report(done.error());
  if (auto done = read_into(options.consent, settings.consent); !done) return report(done.error());
  auto seed = seed_of(options.seed);
  if (!seed) return report(seed.error());
  settings.seed = *seed;
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto picks = study::Studies::open(options.db, OpenMode::write);
  if (!picks && picks.error().code != "studies-missing") return report(picks.error());
  auto study = study::make_study(*collection, std::move(settings), options.sets, picks ? &*picks : nullptr);
  if (!study) return report(study.error());
  auto studies = study::Studies::open(options.db, OpenMode::create);
  if (!studies) return report(studies.error());
  if (auto done = studies->add(*study, kWho); !done) return report(done.error());
  Table table(
      {{"query", Table::Align::left, true}, {"label", Table::Align::left, true}, {"candidates", Table::Align::right}});
  for (const study::Query& query : study->queries) {
    table.row({query.melody.id, printable(query.label), std::to_string(query.candidates.size())});
  }
  table.print(stdout);
  print_to(stderr, "{} was created as a draft, stored in {}. Next: invite participants, then open it.\n", options.name,
           studies->path().string());
  return kSuccess;
}

int invite(const StudyArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::write);
  if (!studies) return report(studies.error());
  std::vector<std::string> labels = options.labels;
  labels.resize(labels.size() + options.count);
  auto invitations = options.again.empty() ? studies->invite(options.name, labels, kWho)
                                           : studies->renew(options.name, options.again, kWho);
  if (!invitations) return report(invitations.error());
  if (options.format == "json") {
    const study::Json out = study::invitations_json(options.name, *invitations);
    print_to(stdout, "{}\n", out.dump(2, ' ', false, study::Json::error_handler_t::replace));
    return kSuccess;
  }
  Table table({{"number", Table::Align::right}, {"label", Table::Align::left, true}, {"code"}, {"address"}});
  for (const study::Invitation& one : *invitations) {
    table.row({std::to_string(one.number), printable(one.label), one.code, study::code_path(options.name, one.code)});
  }
  table.print(stdout);
  print_to(stderr, "Keep these codes: they cannot be shown again.\n");
  return kSuccess;
}

int open_link(const StudyArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::write);
  if (!studies) return report(studies.error());
  auto link = studies->set_open_link(options.name, !options.end, kWho);
  if (!link) return report(link.error());
  if (options.end) {
    print_to(stderr, "The open link of {} no longer works; participants who joined through it remain.\n", options.name);
    return kSuccess;
  }
  print_to(stdout, "{}\n", study::link_path(options.name, *link));
  print_to(stderr,
           "Prefix it with the address of the server. It cannot be shown again; an older one no longer works.\n");
  return kSuccess;
}

int leave_out(const StudyArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::write);
  if (!studies) return report(studies.error());
  if (auto done = studies->leave_out(options.name, options.participant, options.reason, kWho); !done)
    return report(done.error());
  print_to(stderr, "The answers of participant {} {}\n", options.participant,
           options.reason.empty() ? "count again." : "no longer count; the reason is printed with the truth.");
  return kSuccess;
}

int withdraw(const StudyArguments& options) {
  auto studies = study::Studies::open(options.db, OpenMode::write);
  if (!studies) return report(studies.error());
  auto receipt = studies->withdraw(options.name, options.participant, kWho);
  if (!receipt) return report(receipt.error());
  print_to(stdout,
           "Receipt: on {} all data of one participant of the study {} were deleted, {} answers and {} saved steps.\n",
           receipt->at, receipt->study, receipt->answers, receipt->moves);
  print_to(stderr, "Only the number of withdrawals is kept. Earlier exports are not changed.\n");
  return kSuccess;
}

int set_state(const StudyArguments& options, study::State state) {
  auto studies = study::Studies::open(options.db, OpenMode::write);
  if (!studies) return report(studies.error());
  study::Changes changes;
  changes.state = state;
  if (auto done = studies->change(options.name, changes, kWho); !done) return report(done.error());
  print_to(stderr, "{} is {} now\n", options.name, to_string(state));
  return kSuccess;
}

int token(const StudyArguments& options) {
  if (auto collection = Collection::open(options.db, OpenMode::read); !collection) return report(collection.error());
  auto studies = study::Studies::open(options.db, OpenMode::create);
  if (!studies) return report(studies.error());
  auto made = study::Access(*studies).make_token(kWho);
  if (!made) return report(made.error());
  print_to(stdout, "{}\n", *made);
  print_to(stderr, "This is the researcher's token. It cannot be shown again; an older one no longer works.\n");
  return kSuccess;
}

void add_format(CLI::App* app, StudyArguments& options, const std::vector<std::string>& forms) {
  std::string words;
  for (const std::string& form : forms) words += (words.empty() ? "" : " or ") + form;
  app->add_option("--format", options.format, words)->check(CLI::IsMember(forms))->default_str(forms.front());
}

}  // namespace

Action define_study(CLI::App& app) {
  auto options = std::make_shared<StudyArguments>();
  auto chosen = std::make_shared<int (*)(const StudyArguments&)>(nullptr);
  const auto sub = [&](const char* word, const char* what, int (*action)(const StudyArguments&)) {
    auto* made = app.add_subcommand(word, what);
    made->add_option("--db", options->db, "the file of the collection")->required();
    made->callback([chosen, action] { *chosen = action; });
    return made;
  };
  const auto named = [&](CLI::App* to, bool required = true) {
    to->add_option("name", options->name, "name of the study")->required(required);
    return to;
  };

  auto* made = named(sub("create", "create a study from saved sets of candidates", create));
  made->add_option("--candidates", options->sets, "sets of candidates, one for each query; see 'rondo candidates'")
      ->required()
      ->delimiter(',');
  made->add_option("--title", options->title, "what participants see at the top");
  made->add_option("--instructions", options->instructions, "a file with the instructions");
  made->add_option("--consent", options->consent, "a file with what participants agree to");
  made->add_flag("--ties", options->ties, "several candidates may share a rank");
  made->add_flag("--plant-query", options->plant_query, "put the query among its candidates, as an attention check");
  made->add_flag("--simulated", options->simulated, "its votes are simulated; everything that shows them says so");
  made->add_option("--seed", options->seed, "seed of the random orders; default: a random one");

  auto* invited = named(sub("invite", "create personal codes for participants; they are shown only once", invite));
  auto* count =
      invited->add_option("--count", options->count, "how many codes without a label")->check(CLI::Range(1, 1000));
  auto* labels = invited->add_option("--label", options->labels, "a code for a participant with this label");
  auto* again = invited->add_option("--again", options->again,
                                    "a new code for the participant with this number, which replaces a lost one");
  again->excludes(count)->excludes(labels);
  add_format(invited, *options, {"table", "json"});
  invited->callback([chosen, count, labels, again] {
    if (count->empty() && labels->empty() && again->empty()) {
      throw CLI::ValidationError("give --count, --label or --again");
    }
    *chosen = invite;
  });
  named(sub("link", "create a link through which anybody can take part; it is shown only once", open_link))
      ->add_flag("--end", options->end, "end the link instead");

  auto* status = named(sub("status", "show the progress of all studies, or of one", study_status), false);
  add_format(status, *options, {"table", "json"});
  named(sub("open", "accept answers", [](const StudyArguments& o) { return set_state(o, study::State::open); }));
  named(sub("close", "stop accepting answers",
            [](const StudyArguments& o) { return set_state(o, study::State::closed); }));
  auto* left = named(sub("leave-out", "exclude the answers of a participant", leave_out));
  left->add_option("--participant", options->participant, "number of the participant")->required();
  left->add_option("--reason", options->reason, "printed with the truth; empty: the answers count again")->required();
  named(sub("withdraw", "delete all data about a participant, and print a receipt", withdraw))
      ->add_option("--participant", options->participant, "number of the participant")
      ->required();
  auto* picked = sub("pick", "keep or drop candidates of a set before a study is made of it", study_pick);
  picked->add_option("set", options->name, "name of the set of candidates")->required();
  picked->add_option("--keep", options->keep, "ids to keep, separated by commas")->delimiter(',');
  picked->add_option("--drop", options->drop, "ids that participants will not see, separated by commas")
      ->delimiter(',');
  picked->add_option("--undecide", options->undecide, "ids to decide on later, separated by commas")->delimiter(',');
  picked->add_flag("--drop-undecided", options->drop_undecided, "drop all that are undecided after that");
  add_format(picked, *options, {"table", "json"});
  sub("token", "create or replace the researcher's token for the web page", token);
  add_format(named(sub("export", "export a whole study (json) or its votes (csv)", study_export)), *options,
             {"json", "csv"});
  auto* imported = sub("import", "import a whole study, or votes that were collected elsewhere", study_import);
  imported->add_option("file", options->file, "a study as JSON; or with --study a CSV table of votes")->required();
  imported->add_option("--study", options->study, "the study that the votes belong to");
  app.require_subcommand(1);
  return [options, chosen] { return (*chosen)(*options); };
}

}  // namespace rondo::cli
