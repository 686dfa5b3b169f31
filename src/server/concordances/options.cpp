#include <fmt/format.h>

#include <cmath>

#include "server/concordances/job.h"

namespace rondo::server {
namespace {

constexpr std::string_view kKnown[] = {"min_score", "min_probability", "either", "min_notes", "k", "since"};

Result<std::optional<double>> number_in(const Json& json, const char* name, double least, double most, bool whole) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return std::optional<double>();
  const double value = found->is_number() ? found->get<double>() : std::nan("");
  if (!(value >= least && value <= most) || (whole && value != std::floor(value))) {
    return fail("concordances-options",
                fmt::format("'{}' is a {}number from {} to {}", name, whole ? "whole " : "", least, most));
  }
  return std::optional(value);
}

}  // namespace

Json options_json(const concordances::Options& options) {
  return {{"min_score", options.least_score},
          {"min_probability", options.least_probability ? Json(*options.least_probability) : Json()},
          {"either", options.either},
          {"min_notes", options.least_notes},
          {"k", options.most},
          {"since", options.since ? Json(*options.since) : Json()}};
}

Result<concordances::Options> concordance_options(const Json& json) {
  if (!json.is_object()) return fail("body-not-json", "the body must be a JSON object");
  for (const auto& [name, unused] : json.items()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown)) {
      return fail("concordances-options", fmt::format("unknown option '{}'", name), {},
                  "the options are min_score, min_probability, either, min_notes, k and since");
    }
  }
  concordances::Options out;
  auto probability = number_in(json, "min_probability", 0.001, 0.999, false);
  if (!probability) return fail(probability.error());
  auto score = number_in(json, "min_score", -1, 1, false);
  if (!score) return fail(score.error());
  auto notes = number_in(json, "min_notes", 2, 1000, true);
  if (!notes) return fail(notes.error());
  auto most = number_in(json, "k", 0, 1000, true);
  if (!most) return fail(most.error());
  out.least_probability = *probability;
  out.least_score = score->value_or(*probability ? 0 : out.least_score);
  if (*notes) out.least_notes = static_cast<std::uint32_t>(**notes);
  if (*most) out.most = static_cast<std::size_t>(**most);
  if (const auto either = json.find("either"); either != json.end() && !either->is_null()) {
    if (!either->is_boolean()) return fail("concordances-options", "'either' is true or false");
    out.either = either->get<bool>();
  }
  if (const auto since = json.find("since"); since != json.end() && !since->is_null()) {
    if (!since->is_string()) return fail("concordances-options", "'since' is a text");
    out.since = since->get<std::string>();
  }
  return out;
}

std::string_view to_string(ConcordanceJob::State state) {
  switch (state) {
    case ConcordanceJob::State::none: return "none";
    case ConcordanceJob::State::running: return "running";
    case ConcordanceJob::State::cancelled: return "cancelled";
    case ConcordanceJob::State::loading: return "loading";
    case ConcordanceJob::State::done: return "done";
    case ConcordanceJob::State::failed: break;
  }
  return "failed";
}

}  // namespace rondo::server
