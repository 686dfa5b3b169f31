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
constexpr std::array<std::string_view, 11> kIgnoreRhythm = {"contour",         "shapeh",     "shapel", "shapeg",
                                                            "2010-domain",     "ngr5",       "LDP",    "vk-pitch",
                                                            "2010-pitchderiv", "2011-pitch", "vk-band"};
constexpr std::array<std::string_view, 1> kCanDoWithout = {kDefaultSystem};
constexpr std::array<std::string_view, 1> kNothingElse = {"rhythm"};

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

Result<void> check_wildcards(const QueryReading& reading) {
  if (!reading.has_wildcards()) return {};
  return fail("query-wildcards", "no system compares unknown notes", {},
              "leave them out: notes that are missing are forgiven by the system rondo");
}

}  // namespace

bool ignores_rhythm(const SystemRow& row) { return rhythm_use(row) == RhythmUse::ignored; }

Result<QueryFit> fit_system(const QueryReading& reading, const std::optional<std::string>& named,
                            const std::optional<bool>& anchored) {
  if (auto fine = check_wildcards(reading); !fine) return fail(std::move(fine.error()));
  QueryFit fit{named.value_or(std::string(kDefaultSystem)), anchored.value_or(false)};
  if (reading.kind == QueryKind::contour) {
    if (named && *named != kContourSystem) {
      return fail("query-contour-system",
                  fmt::format("the query is a contour, without pitches; {} compares pitches", *named), {},
                  "leave the system out, or choose contour");
    }
    fit.system = kContourSystem;
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
           "the system rondo compares without rhythm where there is none"});
      break;
    case RhythmUse::ignored:
    case RhythmUse::optional: break;
  }
  return fit;
}

}  // namespace rondo
