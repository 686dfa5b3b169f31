#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <variant>

#include "base/in_parallel.h"
#include "base/json.h"
#include "concordances/job_state.h"
#include "concordances/journal.h"
#include "concordances/keep_best.h"
#include "concordances/phrase.h"
#include "concordances/read_each.h"

namespace rondo::concordances {
namespace {

/// A pair by numbers of MelodySet::melodies.
using RawPair = Pair;

/// The pairs of all journals, in the order of their units; every strip of work must be in one of them.
Result<std::vector<UnitPair>> read_pairs(std::span<const std::filesystem::path> journals,
                                         const nlohmann::ordered_json& description, std::size_t strips,
                                         std::size_t units) {
  std::vector<UnitPair> out;
  std::vector<char> done(strips, 0);
  for (const auto& path : journals) {
    auto journal = Journal::read(path);
    if (!journal) return fail(journal.error());
    if (journal->damaged) {
      return fail("journal-unreadable", "is damaged", Place{path.string(), {}, {}, 0, 0},
                  "the command that wrote it computes again what is damaged");
    }
    auto its = json_or_null<nlohmann::ordered_json>(journal->description);
    if (its.is_object()) {
      its.erase("part");
      its.erase("parts");
    }
    if (its != description) {
      return fail("journal-other", "is a part of another run, or the collection has changed since",
                  Place{path.string(), {}, {}, 0, 0}, "give the options of the parts and the collection as it was");
    }
    for (const Journal::Strip& strip : journal->strips) {
      if (strip.number >= strips || done[strip.number] != 0) continue;
      done[strip.number] = 1;
      for (const UnitPair& pair : strip.pairs) {
        if (pair.a >= pair.b || pair.b >= units) {
          return fail("journal-unreadable", "is damaged", Place{path.string(), {}, {}, 0, 0});
        }
        out.push_back(pair);
      }
    }
  }
  if (const auto missing = std::count(done.begin(), done.end(), 0); missing != 0) {
    return fail("parts-missing", fmt::format("{} of {} strips of work are in none of the parts", missing, strips), {},
                "run the parts that are missing or were interrupted, then merge all of them");
  }
  std::sort(out.begin(), out.end(), UnitPair::before);
  return out;
}

/// Units of several melodies, ascending.
std::vector<std::uint32_t> units_of_several(const MelodySet& set) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t unit = 0; unit < set.units(); ++unit) {
    if (set.members(unit).size() > 1) out.push_back(unit);
  }
  return out;
}

std::vector<Score> scores_with_themselves(const MelodySet& set, const System& system,
                                          std::span<const std::uint32_t> units, unsigned threads) {
  constexpr std::size_t kAtOnce = 64;
  std::vector<Score> out(units.size());
  in_parallel(units.size(), kAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    Line line;
    for (std::size_t i = begin; i < end; ++i) {
      set.line(units[i], line);
      out[i] = system.prepare(line)->score(line);
    }
  });
  return out;
}

/// The background of the units that may have a partner.
std::map<std::uint32_t, std::optional<ScoreSpread>> spreads_of(const Background& background, const MelodySet& set,
                                                               const KnownSpreads& known,
                                                               std::span<const UnitPair> pairs, unsigned threads) {
  std::vector<std::uint32_t> units;
  for (const UnitPair& pair : pairs) {
    units.push_back(pair.a);
    units.push_back(pair.b);
  }
  const std::vector<std::uint32_t> repeated = units_of_several(set);
  units.insert(units.end(), repeated.begin(), repeated.end());
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::map<std::uint32_t, std::optional<ScoreSpread>> out;
  std::vector<std::uint32_t> left;
  for (const std::uint32_t unit : units) {
    const KnownSpreads::Spread* const spread = known.of(unit);
    if (spread == nullptr) left.push_back(unit);
    out.emplace_hint(out.end(), unit, spread == nullptr ? std::nullopt : *spread);
  }
  const auto spreads = background.spreads(left, threads, {});
  for (std::size_t i = 0; i < left.size(); ++i) out[left[i]] = (*spreads)[i];
  return out;
}

/// Of melodies, as many as there can be of these pairs of units and of melodies that are the same.
std::uint64_t pairs_at_most(const MelodySet& set, std::span<const UnitPair> pairs) {
  std::uint64_t out = 0;
  for (const UnitPair& pair : pairs) out += std::uint64_t{set.members(pair.a).size()} * set.members(pair.b).size();
  for (std::size_t unit = 0; unit < set.units(); ++unit) {
    const std::uint64_t same = set.members(unit).size();
    out += same * (same - 1) / 2;
  }
  return out;
}

void swap_sides(Pair& pair) {
  std::swap(pair.a, pair.b);
  std::swap(pair.ab, pair.ba);
  std::swap(pair.ab_probability, pair.ba_probability);
  pair.relation = turned(pair.relation);
}

/// Names the melodies that have a partner and puts everything into the order that depends on nothing else.
Result<void> name_melodies(const std::vector<Melody>& melodies, Collection* first, Collection* second,
                           std::vector<RawPair> raw, unsigned threads, Concordances& out) {
  std::vector<std::uint32_t> involved;
  for (const RawPair& pair : raw) {
    involved.push_back(pair.a);
    involved.push_back(pair.b);
  }
  std::sort(involved.begin(), involved.end());
  involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
  std::vector<MelodyRef> refs(involved.size());
  const auto name = [&](Collection& own_first, Collection* own_second, std::size_t i) -> Result<void> {
    const Melody& melody = melodies[involved[i]];
    auto id = (melody.second ? *own_second : own_first).id_of(melody.piece);
    if (!id) return fail(id.error());
    refs[i] = {melody.piece, melody.number, melody.second, std::move(*id)};
    return {};
  };
  if (auto done = read_each(*first, second, refs.size(), threads, name); !done) return done;
  std::vector<std::uint32_t> order(refs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    return std::tie(refs[x].second, refs[x].id, refs[x].voice) < std::tie(refs[y].second, refs[y].id, refs[y].voice);
  });
  std::vector<std::uint32_t> place(refs.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    out.melodies.push_back(refs[order[i]]);
  }
  const auto number = [&](std::uint32_t melody) {
    const auto at = std::lower_bound(involved.begin(), involved.end(), melody) - involved.begin();
    return place[static_cast<std::size_t>(at)];
  };
  for (RawPair& pair : raw) {
    pair.a = number(pair.a);
    pair.b = number(pair.b);
    if (pair.a > pair.b) swap_sides(pair);
  }
  out.pairs = std::move(raw);
  std::sort(out.pairs.begin(), out.pairs.end(),
            [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return {};
}

}  // namespace

Result<Concordances> Job::collect(std::span<const std::filesystem::path> journals, std::uint64_t most_pairs) const {
  const State& state = *state_;
  const MelodySet& set = state.set;
  const auto& melodies = set.melodies();
  auto units = read_pairs(journals, state.description(), state.strips(), set.units());
  if (!units) return fail(units.error());
  if (const std::uint64_t pairs = pairs_at_most(set, *units); pairs > most_pairs) {
    return fail("concordances-too-many",
                fmt::format("up to {} pairs reach the threshold; {} are the most", pairs, most_pairs), {},
                "raise the threshold, or leave out short melodies (--min-notes)");
  }
  std::map<std::uint32_t, std::optional<ScoreSpread>> spreads;
  if (state.background) {
    spreads = spreads_of(*state.background, set, state.spreads, *units, state.options.threads);
  }
  const auto spread_of = [&](std::uint32_t unit) {
    const auto known = spreads.find(unit);
    return known == spreads.end() ? std::optional<ScoreSpread>() : known->second;
  };
  const auto probability = [&](double score, const std::optional<ScoreSpread>& spread) {
    return spread ? std::optional(state.background->probability(score, *spread)) : std::nullopt;
  };

  // Whether each explains the other. How they do is looked at for the system that aligns all notes.
  std::vector<char> mutual;
  mutual.reserve(units->size());
  for (const UnitPair& pair : *units) {
    const bool both =
        pair.ab >= state.least_score(spread_of(pair.a)) && pair.ba >= state.least_score(spread_of(pair.b));
    mutual.push_back(both ? 1 : 0);
  }
  const System& system = *state.system.system;
  std::vector<char> phrases(units->size(), 0);
  if (std::holds_alternative<RondoPlan>(system.plan())) {
    phrases = phrases_in_common(set, system, *units, mutual, state.options.threads);
  }

  std::vector<RawPair> raw;
  for (std::size_t i = 0; i < units->size(); ++i) {
    const UnitPair& pair = (*units)[i];
    const auto spread_a = spread_of(pair.a);
    const auto spread_b = spread_of(pair.b);
    const bool there = pair.ab >= state.least_score(spread_a);
    const Relation relation = phrases[i] != 0  ? Relation::phrase
                              : mutual[i] != 0 ? Relation::variant
                              : there          ? Relation::part
                                               : Relation::whole;
    const auto ab = probability(pair.ab, spread_a);
    const auto ba = probability(pair.ba, spread_b);
    for (const std::uint32_t a : set.members(pair.a)) {
      for (const std::uint32_t b : set.members(pair.b)) {
        if (!MelodySet::wanted(state.scope, melodies[a], melodies[b])) continue;
        raw.push_back({a, b, pair.ab, pair.ba, relation, ab, ba});
      }
    }
  }
  const std::vector<std::uint32_t> repeated = units_of_several(set);
  const std::vector<Score> own_scores = scores_with_themselves(set, system, repeated, state.options.threads);
  for (std::size_t r = 0; r < repeated.size(); ++r) {
    const auto members = set.members(repeated[r]);
    const auto spread = spread_of(repeated[r]);
    const Score& own = own_scores[r];
    if (!own.comparable || own.value < state.least_score(spread)) continue;
    const auto same = probability(own.value, spread);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const Melody& a = melodies[members[i]];
        const Melody& b = melodies[members[j]];
        if (!MelodySet::wanted(state.scope, a, b)) continue;
        raw.push_back({members[i], members[j], own.value, own.value,
                       a.pitch == b.pitch ? Relation::identical : Relation::transposed, same, same});
      }
    }
  }

  Concordances out;
  out.compared = melodies.size();
  out.distinct = set.units();
  out.too_short = set.too_short();
  out.last_voice = set.last_voice();
  if (auto named = name_melodies(melodies, state.first, state.second, std::move(raw), state.options.threads, out);
      !named) {
    return fail(named.error());
  }
  if (state.options.most != 0) keep_best(out, state.options.most);
  return out;
}

}  // namespace rondo::concordances
