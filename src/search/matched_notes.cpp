#include "search/matched_notes.h"

#include <algorithm>

namespace rondo {
namespace {

using Sources = std::vector<std::vector<std::uint32_t>>;

void add_notes(std::vector<std::uint32_t>& to, const NoteSpan& span, const Sources& sources) {
  for (std::size_t i = span.begin; i < span.end && i < sources.size(); ++i) {
    to.insert(to.end(), sources[i].begin(), sources[i].end());
  }
}

void sort_unique(std::vector<std::uint32_t>& notes) {
  std::sort(notes.begin(), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
}

}  // namespace

MatchedNotes matched_notes(const Explanation& why, const Voice& query, const LineOptions& query_heard,
                           const Voice& document, const LineOptions& heard) {
  const Sources query_sources = line_sources(query, query_heard);
  const Sources document_sources = line_sources(document, heard);
  MatchedNotes matched;
  for (const Step& step : why.steps) {
    if (step.kind != Step::Kind::match && step.kind != Step::Kind::flow) continue;
    add_notes(matched.query, step.query, query_sources);
    add_notes(matched.document, step.document, document_sources);
  }
  sort_unique(matched.query);
  sort_unique(matched.document);
  return matched;
}

}  // namespace rondo
