#include "rondo/similarity/system.h"
#include "server/json.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

Json to_json(const SystemRow& row) {
  Json out = {{"name", row.name},
              {"default", row.name == kDefaultSystem},
              {"title", row.title},
              {"explanation", row.explanation},
              {"reference", row.reference},
              {"evidence", to_string(row.evidence)},
              {"evidence_note", row.evidence_note},
              {"published_adr", nullptr},
              {"invariant",
               {{"transposition", row.invariant.transposition},
                {"octave", row.invariant.octave},
                {"tempo", row.invariant.tempo}}},
              {"shortest", row.shortest},
              {"polyphonic", row.polyphonic},
              {"parameters", Json::array()}};
  if (row.published_adr) out["published_adr"] = *row.published_adr;
  for (const Parameter& p : row.parameters) {
    out["parameters"].push_back({{"name", p.name},
                                 {"explanation", p.explanation},
                                 {"standard", p.standard},
                                 {"lowest", p.lowest},
                                 {"highest", p.highest}});
  }
  return out;
}

}  // namespace

Response get_systems(const Call& /*call*/) {
  Json all = Json::array();
  for (const SystemRow* row : systems()) all.push_back(to_json(*row));
  return json_response({{"systems", std::move(all)}});
}

}  // namespace rondo::server
