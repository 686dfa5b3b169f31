#include "server/hearing.h"

#include <algorithm>

namespace rondo::server {
namespace {

void add_notes(std::vector<std::uint32_t>& to, const NoteSpan& span,
               const std::vector<std::vector<std::uint32_t>>& sources) {
  for (std::size_t i = span.begin; i < span.end && i < sources.size(); ++i) {
    to.insert(to.end(), sources[i].begin(), sources[i].end());
  }
}

void in_order(std::vector<std::uint32_t>& notes) {
  std::sort(notes.begin(), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
}

}  // namespace

std::vector<std::vector<std::uint32_t>> sources_of(const Voice& voice, const LineOptions& options) {
  // The same choice as top_line and make_line make, told by indices.
  std::vector<std::vector<std::uint32_t>> sources;
  const Note* top = nullptr;   // the last note at the top, whether kept or not
  const Note* kept = nullptr;  // the last note of the line
  for (std::uint32_t i = 0; i < voice.notes.size(); ++i) {
    const Note& note = voice.notes[i];
    if (note.grace && !options.graces) continue;
    if (!note.grace && top != nullptr && !top->grace && top->onset == note.onset) continue;
    top = &note;
    if (note.duration.is_zero()) continue;
    const bool repeats = options.ignore_repeated && kept != nullptr && !kept->grace && !note.grace &&
                         kept->pitch.midi() == note.pitch.midi();
    kept = &note;
    if (repeats) {
      sources.back().push_back(i);
      continue;
    }
    if (options.opening != 0 && sources.size() == options.opening) break;
    sources.push_back({i});
  }
  return sources;
}

Matched matched_notes(const Explanation& why, const Voice& query, const LineOptions& query_line, const Voice& document,
                      const LineOptions& line) {
  const auto query_sources = sources_of(query, query_line);
  const auto document_sources = sources_of(document, line);
  Matched matched;
  for (const Step& step : why.steps) {
    if (step.kind != Step::Kind::match && step.kind != Step::Kind::flow) continue;
    add_notes(matched.query, step.query, query_sources);
    add_notes(matched.document, step.document, document_sources);
  }
  in_order(matched.query);
  in_order(matched.document);
  return matched;
}

}  // namespace rondo::server
