#include "cli/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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

/// A note of one melody over that of the other, and what lies between them.
struct NoteOverNote {
  std::string query;
  char sign = '|';
  std::string document;
};

/// Whether each step is a note against a note, or notes of one melody alone, one behind the other. Windows overlap: of
/// them there are no two rows.
bool is_note_by_note(const std::vector<Step>& steps) {
  std::uint32_t query = 0;
  std::uint32_t document = 0;
  return !steps.empty() && std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    const bool alone = step.query.empty() != step.document.empty();
    const bool pair = step.query.end - step.query.begin == 1 && step.document.end - step.document.begin == 1;
    if ((!alone && !pair) || step.kind == Step::Kind::flow) return false;
    const bool behind =
        (step.query.empty() || step.query.begin >= query) && (step.document.empty() || step.document.begin >= document);
    if (!step.query.empty()) query = step.query.end;
    if (!step.document.empty()) document = step.document.end;
    return behind;
  });
}

std::vector<NoteOverNote> pairs_of(const Explanation& why, const Line& query, const Line& document) {
  std::vector<NoteOverNote> pairs;
  for (const Step& step : why.steps) {
    const bool alone = step.query.empty() || step.document.empty();
    const char sign = alone ? '+' : step.kind == Step::Kind::mismatch ? 'x' : '|';
    pairs.push_back({notes_of(query, step.query), sign, notes_of(document, step.document)});
  }
  return pairs;
}

/// The two melodies one under the other: "|" the same, "x" changed, "+" in one of them only.
std::string two_rows(const std::vector<NoteOverNote>& pairs, std::size_t width) {
  constexpr std::string_view kLabels = "query  ";
  std::string out;
  for (std::size_t first = 0; first < pairs.size();) {
    std::string above = "query  ";
    std::string between(kLabels.size(), ' ');
    std::string below = "hit    ";
    std::size_t i = first;
    for (; i < pairs.size(); ++i) {
      const std::size_t wide = std::max(pairs[i].query.size(), pairs[i].document.size()) + 1;
      if (i > first && above.size() + wide > width) break;
      above += fmt::format("{:<{}}", pairs[i].query, wide);
      between += fmt::format("{:<{}}", pairs[i].sign, wide);
      below += fmt::format("{:<{}}", pairs[i].document, wide);
    }
    first = i;
    for (std::string* row : {&above, &between, &below}) {
      row->erase(row->find_last_not_of(' ') + 1);
      out += *row + "\n";
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string alignment_text(const Explanation& why, const Line& query, const Line& document) {
  Table table({{"query"}, {"hit"}, {""}, {"score", Table::Align::right}});
  for (const Step& step : why.steps) {
    table.row({notes_of(query, step.query), notes_of(document, step.document),
               std::string(step_name(step.kind, StepNames::words)), fmt::format("{:.4f}", step.score)});
  }
  constexpr std::size_t kColumns = 80;
  const std::size_t width = terminal_width(stdout);
  const std::string rows =
      is_note_by_note(why.steps)
          ? two_rows(pairs_of(why, query, document), width == 0 ? kColumns : std::max(width, std::size_t{40}))
          : "";
  return why.summary + "\n" + rows + table.render(width);
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

void add_counts(const SearchResult& of, SearchResult& to) {
  to.compared += of.compared;
  to.not_reached += of.not_reached;
  to.too_short += of.too_short;
  to.filtered_out += of.filtered_out;
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
