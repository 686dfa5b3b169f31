#include "concordances/concordances.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "base/collection_files.h"
#include "base/output_file.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "concordances/journal_folder.h"
#include "concordances/write.h"
#include "search/card/device.h"

namespace rondo::cli {
namespace {

using concordances::Concordances;
using concordances::Grouping;
using concordances::Job;
using concordances::Shown;

struct ConcordancesArguments {
  std::string db;
  std::string against;
  std::string since;
  std::string part;
  std::vector<std::string> merge;
  std::string out;
  std::string format;
  std::string labels;
  std::string device{kDeviceNames[0]};
  double probability = 0;  ///< 0: not asked for
  concordances::Options options;
};

struct ResultFormat {
  const char* name;
  const char* ending;
  void (*write)(std::ostream&, const Shown&);
};
constexpr std::array kResultFormats = {
    ResultFormat{"pairs", ".csv", concordances::write_pairs_csv},
    ResultFormat{"groups", nullptr, concordances::write_groups_csv},
    ResultFormat{"decisions", nullptr, concordances::write_decisions_csv},
    ResultFormat{"json", ".json", concordances::write_json},
    ResultFormat{"html", ".html", concordances::write_page},
    ResultFormat{"turtle", ".ttl", concordances::write_turtle},
    ResultFormat{"marcxml", ".xml", concordances::write_marcxml},
};

const ResultFormat& format_of(const ConcordancesArguments& arguments) {
  const std::string ending = std::filesystem::path(arguments.out).extension().string();
  for (const ResultFormat& format : kResultFormats) {
    const bool by_ending = arguments.format.empty() && format.ending != nullptr && ending == format.ending;
    if (arguments.format == format.name || by_ending) return format;
  }
  return kResultFormats.front();
}

/// "3/16"
bool read_part(const std::string& text, std::uint32_t& part, std::uint32_t& parts) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, part);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return false;
  const auto second = std::from_chars(first.ptr + 1, end, parts);
  return second.ec == std::errc() && second.ptr == end && part >= 1 && part <= parts;
}

/// On a terminal a bar, elsewhere (the log of a job) a line a minute.
class PairsProgress {
 public:
  PairsProgress() : on_terminal_(terminal_width(stderr) != 0), bar_("pairs", on_terminal_, "pairs") {}
  void update(const concordances::Progress& now) {
    if (on_terminal_) return bar_.update(now.done - now.before, now.total - now.before, now.pairs);
    if (now.seconds < next_) return;
    next_ = now.seconds + 60;
    const auto own = static_cast<double>(now.done - now.before);
    const double left = own > 0 ? now.seconds * static_cast<double>(now.total - now.done) / own : 0;
    print_to(stderr, "{:.1f} % of {} pairs, {} per second, {:.0f} s left\n",
             100.0 * static_cast<double>(now.done) / static_cast<double>(std::max<std::uint64_t>(1, now.total)),
             grouped(now.total), grouped(static_cast<std::uint64_t>(static_cast<double>(now.pairs) / now.seconds)),
             left);
  }
  void clear() { bar_.clear(); }

 private:
  bool on_terminal_;
  double next_ = 60;
  ProgressBar bar_;
};

void print_counts(const Job& job, double seconds) {
  const concordances::Counts& counts = job.counts();
  if (counts.scored == counts.pairs) {  // by a system without bounds
    print_to(stderr, "{} pairs scored in {:.1f} s: {} above the threshold\n", grouped(counts.pairs), seconds,
             grouped(counts.found));
    return;
  }
  print_to(stderr,
           "{} pairs in {:.1f} s on {}: {} share enough pitches, {} in the same order, {} scored, {} above the "
           "threshold\n",
           grouped(counts.pairs), seconds, job.device(), grouped(counts.shared), grouped(counts.common),
           grouped(counts.scored), grouped(counts.found));
}

/// How well the groups agree with what a field of the records says; what has no such field takes no part.
Result<void> print_agreement(const Concordances& found, Collection& collection,
                             const ConcordancesArguments& arguments) {
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> number;
  for (std::uint32_t m = 0; m < found.melodies.size(); ++m) {
    // The labels are those of the first collection.
    if (!found.melodies[m].second) number[{found.melodies[m].id, found.melodies[m].voice}] = m;
  }
  const auto measure = [&](const char* name, const Grouping& grouping) -> Result<void> {
    std::vector<std::uint32_t> group_of(found.melodies.size());
    for (std::uint32_t m = 0; m < group_of.size(); ++m) group_of[m] = m;
    for (const auto& group : grouping.groups) {
      for (const std::uint32_t m : group.members) group_of[m] = group.members.front();
    }
    std::vector<std::uint32_t> groups;
    std::vector<std::string> labels;
    auto alone = static_cast<std::uint32_t>(group_of.size());
    auto done = collection.each_piece(
        [&](const StoredPiece& stored) {
          const std::string_view label = stored.piece.metadata.field(arguments.labels);
          if (label.empty()) return true;
          for (std::uint32_t v = 0; v < stored.piece.voices.size(); ++v) {
            const auto known = number.find({stored.piece.id, v});
            groups.push_back(known == number.end() ? alone++ : group_of[known->second]);
            labels.emplace_back(label);
          }
          return true;
        },
        false);
    if (!done) return fail(done.error());
    if (labels.empty()) {
      return fail("labels-missing", fmt::format("no record has a field '{}'", arguments.labels), {},
                  "'rondo show ID' lists the fields of a record");
    }
    const auto measured = concordances::agreement(groups, labels);
    print_to(stdout,
             "{}: {} groups; pair precision {:.3f}, pair recall {:.3f}, V-measure {:.3f} (homogeneity {:.3f}, "
             "completeness {:.3f}) over {} melodies\n",
             name, grouping.groups.size(), measured.precision, measured.recall, measured.v, measured.homogeneity,
             measured.completeness, groups.size());
    return {};
  };
  auto done = measure("groups", concordances::make_groups(found, arguments.options));
  return done ? measure("single linkage", concordances::single_linkage(found)) : done;
}

/// Where the result goes, and where the journal of the run.
struct Outputs {
  std::filesystem::path journal;
  std::optional<concordances::JournalFolder> folder{};  ///< where nothing can lie beside the result
};

int write_result(const Job& job, const std::vector<std::filesystem::path>& journals, Collection& collection,
                 Collection* against, const ConcordancesArguments& arguments, Outputs& outputs) {
  auto found = job.collect(journals);
  if (!found) return report(found.error());
  outputs.folder.reset();  // a pipe that is closed ends the program
  const Grouping grouping = concordances::make_groups(*found, arguments.options);
  auto sources = concordances::read_sources(*found, collection, against, arguments.options.threads);
  if (!sources) return report(sources.error());
  auto system = resolve_system(arguments.options.system, arguments.options.settings);
  if (!system) return report(system.error());
  auto decisions = concordances::Decisions::open(concordances::Decisions::path_for(arguments.db));
  if (!decisions) return report(decisions.error());
  const Shown shown{
      *found,          grouping,          *sources,
      *system->system, arguments.options, "Concordances of " + std::filesystem::path(arguments.db).filename().string(),
      &*decisions};
  auto file = OutputFile::open(arguments.out);
  if (!file) return report(file.error());
  format_of(arguments).write(file->stream(), shown);
  if (auto done = file->commit(); !done) return report(done.error());
  std::error_code ignored;
  if (arguments.merge.empty()) std::filesystem::remove(journals.front(), ignored);  // what is in the file is kept
  print_to(stderr, "{}: {} pairs of {} melodies in {} groups; {} compared, {} too short; the last voice is {}\n",
           arguments.out, grouped(found->pairs.size()), grouped(found->melodies.size()),
           grouped(grouping.groups.size()), grouped(found->compared), grouped(found->too_short), found->last_voice);
  if (arguments.labels.empty()) return kSuccess;
  auto measured = print_agreement(*found, collection, arguments);
  return measured ? kSuccess : report(measured.error());
}

Result<Outputs> outputs_of(const ConcordancesArguments& arguments) {
  const bool part = !arguments.part.empty();
  Outputs out{arguments.out};
  if (!part) {
    if (auto fine = check_output(arguments.out); !fine) return fail(fine.error());
    out.journal += ".journal";
  }
  if (!part && is_special_output(arguments.out)) {
    auto folder = concordances::JournalFolder::make();
    if (!folder) return fail(folder.error());
    out.folder.emplace(std::move(*folder));
    out.journal = out.folder->journal();
  }
  if (auto fine = check_output(out.journal, kConcordancesJournalKind); !fine) return fail(fine.error());
  return out;
}

int run(const ConcordancesArguments& arguments) {
  auto outputs = outputs_of(arguments);
  if (!outputs) return report(outputs.error());
  auto collection = Collection::open(arguments.db, OpenMode::read);
  if (!collection) return report(collection.error());
  std::optional<Collection> against;
  if (!arguments.against.empty()) {
    auto other = Collection::open(arguments.against, OpenMode::read);
    if (!other) return report(other.error());
    against.emplace(std::move(*other));
  }
  Collection* const second = against ? &*against : nullptr;
  auto job = Job::prepare(*collection, second, arguments.options);
  if (!job) return report(job.error());
  if (!arguments.merge.empty()) {
    return write_result(*job, {arguments.merge.begin(), arguments.merge.end()}, *collection, second, arguments,
                        *outputs);
  }
  const std::filesystem::path& journal = outputs->journal;
  const auto start = std::chrono::steady_clock::now();
  PairsProgress progress;
  auto done = job->run(journal, {}, [&](const concordances::Progress& now) { progress.update(now); });
  progress.clear();
  if (!done) return report(done.error());
  if (job->card_warning()) {
    print_to(stderr, "rondo: the run continued on the CPU alone: {}\n", job->card_warning()->to_string());
  }
  print_counts(*job, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (!arguments.part.empty()) return kSuccess;
  return write_result(*job, {journal}, *collection, second, arguments, *outputs);
}

}  // namespace

Action define_concordances(CLI::App& app) {
  auto arguments = std::make_shared<ConcordancesArguments>();
  concordances::Options& options = arguments->options;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  add_db(app, arguments->db);
  app.add_option("--out", arguments->out, "file for the result, or with --part for the journal of the part")
      ->required();
  std::vector<std::string> names;
  names.reserve(std::size(kResultFormats));
  for (const ResultFormat& format : kResultFormats) names.emplace_back(format.name);
  app.add_option("--format", arguments->format,
                 "pairs, groups or decisions (CSV), json, html (a page), turtle (RDF), marcxml (links 787 and 856); "
                 "default: by the extension of --out")
      ->check(CLI::IsMember(names));
  app.add_option("--system", options.system, "how to compare ('rondo systems' lists them)")->capture_default_str();
  app.add_option("--set", options.settings, "a parameter of the system, NAME=VALUE");
  auto* score = app.add_option("--min-score", options.least_score,
                               "the threshold, to be reached in both directions (each melody as the query); default "
                               "with --min-probability: 0")
                    ->check(within(-1e6, 1e6))
                    ->capture_default_str();
  app.add_option("--min-probability", arguments->probability,
                 "the threshold as the probability that a pair is the same tune, in both directions")
      ->check(within(0.001, 0.999));
  app.add_flag("--either", options.either,
               "also pairs that reach the threshold in one direction only: a melody within a longer one");
  app.add_option("--min-notes", options.least_notes, "only melodies with at least this many notes")
      ->check(whole(2, 1'000'000))
      ->capture_default_str();
  app.add_option("-k", options.most, "keep only this many best partners of each melody; default: all")
      ->check(whole(1, kMostHits));
  auto* since = app.add_option("--new", arguments->since,
                               "only pairs with a new melody: imported since this date (2026-11-01), or with a higher "
                               "voice key than this number, which the last run printed");
  app.add_option("--against", arguments->against, "only pairs of one melody from --db and one from this collection")
      ->excludes(since);
  auto* part = app.add_option("--part", arguments->part, "only part I of N, as I/N; for job arrays");
  app.add_option("--merge", arguments->merge, "merge these parts into the result; the other options as for the parts")
      ->excludes(part);
  app.add_option("--labels", arguments->labels, "compare the groups with the labels in this field of the records");
  app.add_option("--threads", options.threads, "how many threads")
      ->check(whole(1, kMostThreads))
      ->capture_default_str();
  add_device(app, arguments->device);
  app.callback([arguments, score] {
    concordances::Options& own = arguments->options;
    own.device = device_of(arguments->device).value_or(Device::cpu);
    if (arguments->probability > 0) {
      own.least_probability = arguments->probability;
      if (score->count() == 0) own.least_score = 0;
    }
    if (own.system != kDefaultSystem && score->count() == 0 && arguments->probability == 0) {
      throw CLI::ValidationError(
          "--system needs --min-score: the default threshold is for the system rondo, other systems have other scales");
    }
    if (!arguments->since.empty()) own.since = arguments->since;
    if (!arguments->part.empty() && !read_part(arguments->part, own.part, own.parts)) {
      throw CLI::ValidationError("--part must be I/N, such as 3/16, with I from 1 to N");
    }
  });
  return [arguments] { return run(*arguments); };
}

}  // namespace rondo::cli
