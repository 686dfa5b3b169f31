#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bridge/guard.h"
#include "bridge/melody.h"
#include "bridge/memory.h"
#include "bridge/query.h"
#include "search/best_voice.h"
#include "search/corpus.h"
#include "similarity/alignment_json.h"

struct RondoScorer {
  std::string query;  ///< encoded
  rondo::postgresql::ReadyQuery ready;
};

namespace rondo::postgresql {
namespace {

using Json = nlohmann::ordered_json;

Document document_of(Voice voice) {
  Piece piece;
  piece.voices.push_back(std::move(voice));
  return make_document(piece);
}

struct Compared {
  ChosenSystem chosen;
  Line query;
  Document document;
};

Result<Compared> read_pair(RondoBytes system, const RondoBytes* settings, std::size_t count, RondoBytes a,
                           RondoBytes b) {
  auto chosen = choose(std::string(view(system)), strings(settings, count));
  if (!chosen) return fail(std::move(chosen.error()));
  auto query = unpacked(a);
  if (!query) return fail(std::move(query.error()));
  auto document = unpacked(b);
  if (!document) return fail(std::move(document.error()));
  Compared out{std::move(*chosen), make_line(*query), document_of(std::move(*document))};
  // Two melodies are all there is to learn from here.
  out.chosen.system->learn(out.query);
  out.chosen.system->learn(out.document.voices.front());
  return out;
}

Json explanation_json(const ChosenSystem& chosen, const Explanation& why) {
  Json out = {{"system", chosen.name}, {"comparable", why.score.comparable}};
  if (why.score.comparable) out["score"] = why.score.value;
  out["alignment"] = alignment_json(why);
  return out;
}

}  // namespace
}  // namespace rondo::postgresql

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

RondoStatus rondo_score(RondoBytes system, const RondoBytes* settings, size_t count, RondoBytes a, RondoBytes b,
                        double* score, bool* null) {
  return guarded([&]() -> Result<void> {
    auto pair = read_pair(system, settings, count, a, b);
    if (!pair) return fail(std::move(pair.error()));
    const auto prepared = pair->chosen.system->prepare(pair->query);
    const BestVoice best = best_voice(*pair->chosen.row, *prepared, pair->document);
    *null = !best.score.comparable;
    *score = best.score.value;
    return {};
  });
}

RondoStatus rondo_explain(RondoBytes system, const RondoBytes* settings, size_t count, RondoBytes a, RondoBytes b,
                          RondoBytes* json) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_write(a.size + b.size));
    auto pair = read_pair(system, settings, count, a, b);
    if (!pair) return fail(std::move(pair.error()));
    const auto prepared = pair->chosen.system->prepare(pair->query);
    const Explanation why = prepared->explain(pair->document.voices.front());
    *json = keep(explanation_json(pair->chosen, why).dump(-1, ' ', false, Json::error_handler_t::replace));
    return {};
  });
}

RondoStatus rondo_scorer_make(RondoBytes bytes, RondoScorer** out) {
  return guarded([&]() -> Result<void> {
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    auto ready = make_ready(*query);
    if (!ready) return fail(std::move(ready.error()));
    *out = new RondoScorer{std::string(view(bytes)), std::move(*ready)};
    return {};
  });
}

bool rondo_scorer_is_for(const RondoScorer* scorer, RondoBytes query) { return scorer->query == view(query); }

RondoStatus rondo_scorer_distance(RondoScorer* scorer, RondoBytes melody, double* distance, bool* null) {
  return guarded([&]() -> Result<void> {
    auto voice = unpacked(melody);
    if (!voice) return fail(std::move(voice.error()));
    const SystemRow& row = *scorer->ready.chosen->row;
    const BestVoice best = best_voice(row, *scorer->ready.prepared, document_of(std::move(*voice)));
    *null = !best.score.comparable || (row.zero_is_none && best.score.value <= 0);
    *distance = -best.score.value;
    return {};
  });
}

RondoStatus rondo_scorer_tie(RondoScorer* scorer, RondoBytes melody, double* rule, int32_t* notes) {
  return guarded([&]() -> Result<void> {
    auto voice = unpacked(melody);
    if (!voice) return fail(std::move(voice.error()));
    const Document document = document_of(std::move(*voice));
    const Line& line = document.voices.front();
    const PreparedQuery& prepared = *scorer->ready.prepared;
    *rule = -(scorer->ready.chosen->row->polyphonic ? prepared.tie_break(document.points) : prepared.tie_break(line));
    const auto size = static_cast<std::int32_t>(line.size());
    const auto asked = static_cast<std::int32_t>(scorer->ready.line->size());
    *notes = size > asked ? size - asked : asked - size;
    return {};
  });
}

void rondo_scorer_free(RondoScorer* scorer) { delete scorer; }
