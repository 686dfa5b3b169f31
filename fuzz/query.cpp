// Feeds arbitrary texts to the reader of queries and checks what must hold: an error has a code and a hint, what was
// read has notes and a reason, columns lie within the text, and every reading is described and fitted with a system.

#include <nlohmann/json.hpp>

#include "broken.h"
#include "query/fit.h"
#include "query/reading_json.h"
#include "rondo/query/reading.h"

namespace {

void check_place(const rondo::Place& place, std::string_view text) {
  if (place.column > text.size() + 1) broken("a column beyond the text", std::to_string(place.column));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)rondo::looks_like_path(text);
  const auto reading = rondo::read_query_text(text);
  if (!reading) {
    if (reading.error().code.empty() || reading.error().message.empty()) broken("an error without words", "");
    check_place(reading.error().place, text);
    return 0;
  }
  if (reading->piece.voices.empty() || reading->voice().notes.empty()) broken("a reading without notes", "");
  if (reading->because.empty()) broken("a reading without a reason", "");
  for (const auto& warning : reading->warnings) check_place(warning.place, text);
  if (rondo::describe(*reading).empty()) broken("no description", "");
  (void)rondo::reading_json(*reading).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto fit = rondo::fit_system(*reading, std::nullopt, std::nullopt);
  if (!fit && !reading->has_wildcards()) broken("the standard system does not take it", fit.error().message);
  return 0;
}
