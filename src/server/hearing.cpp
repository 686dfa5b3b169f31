#include "server/hearing.h"

#include <algorithm>

namespace rondo::server {
namespace {

void keep(Line& line, std::size_t notes) {
  if (notes == 0 || line.size() <= notes) return;
  line.pitch.resize(notes);
  line.base40.resize(notes);
  line.onset.resize(notes);
  line.duration.resize(notes);
  const std::int64_t end = line.onset.back() + line.duration.back();
  std::erase_if(line.bars, [&](std::int64_t bar) { return bar > end; });
}

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

Line Hearing::operator()(const Voice& voice) const {
  Line made = make_line(voice, line);
  keep(made, beginning);
  return made;
}

std::vector<std::vector<std::uint32_t>> sources_of(const Voice& voice, const Hearing& hearing) {
  // The same choice as top_line and make_line make, told by indices.
  std::vector<std::vector<std::uint32_t>> sources;
  const Note* top = nullptr;   // the last note at the top, whether kept or not
  const Note* kept = nullptr;  // the last note of the line
  for (std::uint32_t i = 0; i < voice.notes.size(); ++i) {
    const Note& note = voice.notes[i];
    if (note.grace && !hearing.line.graces) continue;
    if (!note.grace && top != nullptr && !top->grace && top->onset == note.onset) continue;
    top = &note;
    if (note.duration.is_zero()) continue;
    const bool repeats = hearing.line.ignore_repeated && kept != nullptr && !kept->grace && !note.grace &&
                         kept->pitch.midi() == note.pitch.midi();
    kept = &note;
    if (repeats) {
      sources.back().push_back(i);
      continue;
    }
    if (hearing.beginning != 0 && sources.size() == hearing.beginning) break;
    sources.push_back({i});
  }
  return sources;
}

Matched matched_notes(const Explanation& why, const Voice& query, const Hearing& query_hearing, const Voice& document,
                      const Hearing& hearing) {
  const auto query_sources = sources_of(query, query_hearing);
  const auto document_sources = sources_of(document, hearing);
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
