#include "cli/scoring.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal.h"

namespace rondo::cli {
namespace {

std::string_view name_of(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::match: return "match";
    case Step::Kind::mismatch: return "differs";
    case Step::Kind::gap_in_document: return "only query";
    case Step::Kind::gap_in_query: return "only hit";
    case Step::Kind::flow: return "flow";
  }
  return "";
}

std::string notes_of(const Line& line, const NoteSpan& span) {
  if (span.empty()) return "-";
  std::string out;
  for (std::uint32_t i = span.begin; i < span.end && i < line.size(); ++i) {
    out += (out.empty() ? "" : " ") + Pitch::from_midi(line.pitch[i]).to_string();
  }
  return out;
}

nlohmann::ordered_json span_json(const NoteSpan& span) {
  if (span.empty()) return nullptr;
  return nlohmann::ordered_json::array({span.begin, span.end});
}

}  // namespace

std::string alignment_text(const Explanation& why, const Line& query, const Line& document) {
  Table table({{"query"}, {"hit"}, {""}, {"score", Table::Align::right}});
  for (const Step& step : why.steps) {
    table.row({notes_of(query, step.query), notes_of(document, step.document), std::string(name_of(step.kind)),
               fmt::format("{:.4f}", step.score)});
  }
  return why.summary + "\n" + table.render(terminal_width(stdout));
}

nlohmann::ordered_json alignment_json(const Explanation& why) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const Step& step : why.steps) {
    steps.push_back({{"kind", name_of(step.kind)},
                     {"query", span_json(step.query)},
                     {"document", span_json(step.document)},
                     {"score", step.score}});
  }
  return {{"summary", why.summary}, {"total", why.total}, {"steps", steps}};
}

Result<Engine> open_engine(Collection& collection, const LineOptions& line) {
  ProgressBar progress("index", terminal_width(stderr) != 0);
  auto engine = Engine::open(collection, {.line = line, .progress = [&](std::size_t done, std::size_t all) {
                                            progress.update(done, all, done);
                                          }});
  progress.clear();
  return engine;
}

}  // namespace rondo::cli
