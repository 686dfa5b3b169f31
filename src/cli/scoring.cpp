#include "cli/scoring.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "similarity/alignment_json.h"

namespace rondo::cli {
namespace {

std::string notes_of(const Line& line, const NoteSpan& span) {
  // Of what goes on without the other melody, the ends.
  constexpr std::uint32_t kMostShown = 5;
  if (span.empty()) return "-";
  const auto name = [&](std::uint32_t i) { return Pitch::from_midi(line.pitch[i]).to_string(); };
  const auto end = std::min(span.end, static_cast<std::uint32_t>(line.size()));
  if (end - span.begin > kMostShown) {
    return fmt::format("{} {} ... {} ({} notes)", name(span.begin), name(span.begin + 1), name(end - 1),
                       end - span.begin);
  }
  std::string out;
  for (std::uint32_t i = span.begin; i < end; ++i) out += (out.empty() ? "" : " ") + name(i);
  return out;
}

}  // namespace

std::string alignment_text(const Explanation& why, const Line& query, const Line& document) {
  Table table({{"query"}, {"hit"}, {""}, {"score", Table::Align::right}});
  for (const Step& step : why.steps) {
    table.row({notes_of(query, step.query), notes_of(document, step.document),
               std::string(step_name(step.kind, StepNames::words)), fmt::format("{:.4f}", step.score)});
  }
  return why.summary + "\n" + table.render(terminal_width(stdout));
}

Result<std::shared_ptr<CollectionSnapshot>> open_snapshot(Collection& collection, SnapshotOptions options) {
  ProgressBar progress("index", terminal_width(stderr) != 0);
  options.progress = [&](std::size_t done, std::size_t all) { progress.update(done, all, done); };
  auto snapshot = CollectionSnapshot::open(collection, options);
  progress.clear();
  return snapshot;
}

Result<void> prepare(CollectionSnapshot& snapshot, Collection& collection, const SearchRequest& request) {
  ProgressBar progress("index", terminal_width(stderr) != 0);
  auto done =
      snapshot.prepare(collection, request, [&](std::size_t now, std::size_t all) { progress.update(now, all, now); });
  progress.clear();
  return done;
}

std::string counts_text(const SearchResult& result) {
  std::string text = fmt::format("{} melodies compared", grouped(result.compared));
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", grouped(count), what);
  };
  add(result.not_reached, "not reached");
  add(result.too_short, "too short");
  add(result.filtered_out, "filtered out");
  return text;
}

}  // namespace rondo::cli
