#include "query/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rondo/similarity/system.h"
#include "similarity/mixture.h"

namespace rondo {
namespace {

constexpr std::string_view kContourSystem = "contour";

/// What a system does with the lengths of notes.
enum class RhythmUse : std::uint8_t {
  ignored,   ///< compares pitches alone
  optional,  ///< compares without them where the query's notes are all equally long
  compared,  ///< a query without rhythm is one of equal notes
  required   ///< compares nothing else
};
// All others compare them. A test holds this against the scores of every system.
constexpr std::array<std::string_view, 13> kIgnoreRhythm = {
    "pattern", "pattern-contour", "contour",         "shapeh",     "shapel", "shapeg", "2010-domain", "ngr5",
    "LDP",     "vk-pitch",        "2010-pitchderiv", "2011-pitch", "vk-band"};
constexpr std::array<std::string_view, 1> kCanDoWithout = {kDefaultSystem};
constexpr std::array<std::string_view, 2> kNothingElse = {"rhythm", "pattern-rhythm"};
// Systems that compare one thing, and those that look for exactly it where notes are unknown.
struct StandIn {
  std::string_view system;
  std::string_view with_unknown;
};
constexpr std::array kStandIns = {StandIn{"contour", "pattern-contour"}, StandIn{"rhythm", "pattern-rhythm"},
                                  StandIn{"2010-domain", "pattern"}};
constexpr std::array<std::string_view, 2> kContourSystems = {kContourSystem, "pattern-contour"};

RhythmUse rhythm_use(const SystemRow& row) {
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), row.name) != names.end(); };
  if (among(kIgnoreRhythm)) return RhythmUse::ignored;
  if (among(kCanDoWithout)) return RhythmUse::optional;
  return among(kNothingElse) ? RhythmUse::required : RhythmUse::compared;
}

/// The most that a system or one of its parts wants of rhythm.
RhythmUse rhythm_of(const SystemRow& row, const System& system) {
  const Mixture* mixture = system.mixture();
  if (mixture == nullptr) return rhythm_use(row);
  RhythmUse most = RhythmUse::ignored;
  for (const Part& part : mixture->parts()) most = std::max(most, rhythm_of(*part.row, *part.system));
  return most;
}

/// The system for a query with unknown notes, and what is said of it. Not every system takes them.
Result<QueryFit> fit_unknown(const QueryReading& reading, const std::optional<std::string>& named, bool anchored) {
  if (anchored && reading.unknown_stretches > 0) {
    return fail("query-wildcards", "a search of beginnings does not support wildcards for any number of notes", {},
                "search anywhere, or write ? for each note");
  }
  const std::string_view standard = reading.kind == QueryKind::contour ? "pattern-contour" : "pattern";
  QueryFit fit{named.value_or(std::string(standard)), anchored};
  if (named) {
    const auto stand_in =
        std::find_if(kStandIns.begin(), kStandIns.end(), [&](const StandIn& one) { return one.system == *named; });
    if (stand_in != kStandIns.end()) fit.system = stand_in->with_unknown;
    const auto chosen = resolve_system(fit.system);
    if (chosen && !chosen->row->unknown_notes) {
      return fail("query-wildcards", fmt::format("{} does not support unknown notes", *named), {},
                  fmt::format("leave the system out, or choose {}; or leave the unknown notes out", standard));
    }
  }
  if (!named || fit.system != *named) {
    fit.warnings.push_back(
        {"query-system",
         fmt::format("notes are unknown: the system {} finds the melodies that have all the others", fit.system),
         {},
         {}});
  }
  return fit;
}

}  // namespace

bool ignores_rhythm(const SystemRow& row) { return rhythm_use(row) == RhythmUse::ignored; }

Result<QueryFit> fit_system(const QueryReading& reading, const std::optional<std::string>& named,
                            const std::optional<bool>& anchored) {
  QueryFit fit{named.value_or(std::string(kDefaultSystem)), anchored.value_or(false)};
  if (reading.has_wildcards()) {
    auto fitted = fit_unknown(reading, named, anchored.value_or(false));
    if (!fitted) return fitted;
    fit = std::move(*fitted);
  }
  if (reading.kind == QueryKind::contour) {
    const std::string& asked = reading.has_wildcards() ? fit.system : named.value_or(std::string(kContourSystem));
    if (std::find(kContourSystems.begin(), kContourSystems.end(), asked) == kContourSystems.end()) {
      return fail("query-contour-system",
                  fmt::format("the query is a contour, without pitches; {} compares pitches", asked), {},
                  "leave the system out, or choose contour or pattern-contour");
    }
    if (reading.has_wildcards()) return fit;
    fit.system = asked;
    fit.anchored = anchored.value_or(true);
    if (!named) {
      fit.warnings.push_back({"query-system",
                              fmt::format("a contour is compared by the system contour{}",
                                          anchored ? "" : ", with the beginnings of melodies"),
                              {},
                              {}});
    }
    return fit;
  }
  if (reading.rhythm) return fit;
  const auto chosen = resolve_system(fit.system);
  if (!chosen) return fit;  // the search says what is wrong with it
  switch (rhythm_of(*chosen->row, *chosen->system)) {
    case RhythmUse::required:
      return fail("query-rhythm-missing",
                  fmt::format("the query has no rhythm, and {} compares nothing else", fit.system), {},
                  "give lengths, for instance '4C8DE2C, or choose another system");
    case RhythmUse::compared:
      fit.warnings.push_back(
          {"query-rhythm-missing",
           fmt::format("the query has no rhythm; {} takes all its notes as equally long", fit.system),
           {},
           "the system rondo compares without rhythm if the query has none"});
      break;
    case RhythmUse::ignored:
    case RhythmUse::optional: break;
  }
  return fit;
}

}  // namespace rondo
