#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "concordances/job_state.h"
#include "concordances/newness.h"
#include "search/card/device.h"
#include "similarity/mixture.h"

namespace rondo::concordances {
namespace {

/// Rows that are decided and written to the journal together.
constexpr std::size_t kMostRows = 256;
/// The order of units (MelodySet::finish), by which journals name them; another number with each other order.
constexpr int kOrder = 2;

Result<void> check_options(const Options& options, const ChosenSystem& system) {
  if (options.part < 1 || options.part > options.parts) {
    return fail("part-out-of-range", fmt::format("there is no part {} of {}", options.part, options.parts));
  }
  if (system.row->polyphonic || system.system->mixture() != nullptr) {
    return fail("concordances-system", fmt::format("'{}' does not compare one melody with another", options.system), {},
                "choose a system that compares two melodies, such as 'rondo'");
  }
  return {};
}

/// Shows every melody to a system that learns from the collection.
void teach_set(const MelodySet& set, System& system) {
  if (!system.learns()) return;
  Line line;
  for (const Melody& melody : set.melodies()) {
    set.line(melody.unit, line);
    system.learn(line);
  }
}

}  // namespace

std::string_view to_string(Relation relation) {
  switch (relation) {
    case Relation::identical: return "identical";
    case Relation::transposed: return "transposed";
    case Relation::variant: return "variant";
    case Relation::part: return "part of";
    case Relation::whole: return "has as part";
    case Relation::phrase: return "phrase in common";
  }
  return "";
}

Relation turned(Relation relation) {
  if (relation == Relation::part) return Relation::whole;
  return relation == Relation::whole ? Relation::part : relation;
}

std::span<const std::uint32_t> Job::State::rows_of(std::size_t number) const {
  const std::size_t begin = number * strip;
  return {rows.data() + begin, std::min(strip, rows.size() - begin)};
}

nlohmann::ordered_json Job::State::description() const {
  return {{"order", kOrder},
          {"melodies", set.melodies().size()},
          {"digest", fmt::format("{:016x}", set.digest())},
          {"system", options.system},
          {"settings", options.settings},
          {"least_score", options.least_score},
          {"least_probability", options.least_probability.value_or(0)},
          {"either", options.either},
          {"least_notes", options.least_notes},
          {"since", options.since.value_or("")},
          {"rows", rows.size()},
          {"strip", strip}};
}

nlohmann::ordered_json Job::State::description(std::uint32_t part, std::uint32_t parts) const {
  auto out = description();
  out["part"] = part;
  out["parts"] = parts;
  return out;
}

std::uint64_t Job::State::pairs_of(std::size_t number) const {
  const auto own = rows_of(number);
  if (scope != Scope::all) return std::uint64_t{own.size()} * set.units();
  std::uint64_t out = 0;
  for (const std::uint32_t row : own) out += set.units() - 1 - row;
  return out;
}

double Job::State::least_score(const std::optional<ScoreSpread>& spread) const {
  if (!options.least_probability) return options.least_score;
  if (!spread) return std::numeric_limits<double>::infinity();
  return std::max(options.least_score, background->least_score(*options.least_probability, *spread));
}

void KnownSpreads::compute(const Background& background, std::span<const std::uint32_t> units, unsigned threads,
                           const std::stop_token& stop) {
  std::vector<std::uint32_t> own;
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t unit : units) {
      if (known_.try_emplace(unit).second) own.push_back(unit);
    }
  }
  const auto spreads = background.spreads(own, threads, stop);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (spreads) {
      known_[own[i]].emplace((*spreads)[i]);
    } else {
      known_.erase(own[i]);
    }
  }
}

void Job::State::prepare_spreads(std::size_t number, std::span<const UnitPair> pairs, const std::stop_token& stop) {
  // Who runs one part of several does not collect.
  if (!background || options.parts > 1) return;
  std::vector<std::uint32_t> units;
  for (const UnitPair& pair : pairs) {
    units.push_back(pair.a);
    units.push_back(pair.b);
  }
  for (const std::uint32_t row : rows_of(number)) {
    if (set.members(row).size() > 1) units.push_back(row);
  }
  spreads.compute(*background, units, 1, stop);
}

bool Job::State::make_engine(const std::stop_token& stop) {
  if (options.least_probability && least_of.empty()) {
    std::vector<std::uint32_t> all(set.units());
    std::iota(all.begin(), all.end(), 0U);
    spreads.compute(*background, all, options.threads, stop);
    if (stop.stop_requested()) return false;
    for (const std::uint32_t unit : all) least_of.push_back(least_score(*spreads.of(unit)));
  }
  const EngineTask task{set,
                        scope,
                        rows,
                        *system.system,
                        {options.least_score, !options.either},
                        least_of,
                        card,
                        options.device != Device::cuda,
                        options.threads};
  engine = make_rondo_engine(task);
  if (!engine) engine = make_exhaustive_engine(task);
  return true;
}

Job::Job(std::unique_ptr<State> state) : state_(std::move(state)) {}
Job::~Job() = default;
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(Job&&) noexcept = default;
const Counts& Job::counts() const { return state_->counts; }
const Options& Job::options() const { return state_->options; }
std::string Job::device() const { return state_->card ? gpu::name_of(*state_->card) : "cpu"; }
const std::optional<Diagnostic>& Job::card_warning() const { return state_->card_warning; }

Result<Job> Job::prepare(Collection& collection, Collection* against, Options options) {
  auto system = resolve_system(options.system, options.settings);
  if (!system) return fail(system.error());
  if (auto fine = check_options(options, *system); !fine) return fail(fine.error());
  auto state = std::make_unique<State>();
  state->first = &collection;
  state->second = against;
  state->options = std::move(options);
  state->system = std::move(*system);
  if (against != nullptr) state->scope = Scope::between;
  if (state->options.since) state->scope = Scope::fresh;
  auto is_new = newness(collection, state->options.since);
  if (!is_new) return fail(is_new.error());
  const bool rondo = std::holds_alternative<RondoPlan>(state->system.system->plan());
  auto device = device_for(state->options.device, std::span(&state->system, 1));
  if (!device) return fail(device.error());
  auto card = card_for(*device);
  if (!card) return fail(card.error());
  state->card = std::move(*card);
  const MelodySet::Options load{
      std::max(state->options.least_notes, static_cast<std::uint32_t>(state->system.shortest)), true, rondo,
      state->options.threads};
  if (auto done = state->set.add(collection, load, false, *is_new); !done) return fail(done.error());
  if (against != nullptr) {
    auto done = state->set.add(*against, load, true, [](const StoredVoice&) { return false; });
    if (!done) return fail(done.error());
  }
  state->set.finish();
  teach_set(state->set, *state->system.system);
  auto background =
      Background::of(state->set, state->scope, state->system, state->options.settings.empty(), state->card);
  if (!background) return fail(background.error());
  state->background = std::move(*background);
  if (state->options.least_probability && !state->background) {
    return fail(
        "probability-unknown",
        state->system.row->calibration && state->options.settings.empty()
            ? fmt::format("{} melodies are too few to tell how probable a pair is", state->set.melodies().size())
            : fmt::format("'{}' is not calibrated with these settings", state->options.system),
        {}, "give a threshold for scores instead (--min-score)");
  }
  state->rows = state->set.rows(state->scope);
  state->strip = std::clamp<std::size_t>(state->rows.size() / 128, 1, kMostRows);
  return Job(std::move(state));
}

}  // namespace rondo::concordances
