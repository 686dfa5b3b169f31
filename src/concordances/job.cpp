#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>
#include <tuple>

#include "concordances/concordances.h"
#include "concordances/journal.h"
#include "concordances/keep_best.h"
#include "concordances/melody_set.h"
#include "concordances/pair_engine.h"
#include "similarity/mixture.h"
#include "store/sqlite.h"

namespace rondo::concordances {
namespace {

/// Rows that are decided and written to the journal together.
constexpr std::size_t kMostRows = 256;

/// Whether a voice belongs to the new batch.
Result<std::function<bool(const StoredVoice&)>> newness(Collection& collection,
                                                        const std::optional<std::string>& since) {
  if (!since) return [](const StoredVoice&) { return false; };
  const std::string_view text = *since;
  std::int64_t key = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
  if (error == std::errc() && end == text.data() + text.size()) {
    return [key](const StoredVoice& voice) { return static_cast<std::int64_t>(voice.key) > key; };
  }
  const bool date =
      text.size() >= 10 && text[4] == '-' && text[7] == '-' && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("-:.TZ ").find(c) != std::string_view::npos;
      });
  if (!date) {
    return fail("since-malformed", fmt::format("'{}' is neither a date nor a number", text), {},
                "a date looks like 2026-11-01; a number is the key of the last voice that is not new");
  }
  std::vector<PieceKey> pieces;
  auto rows = database_of(collection).prepare("SELECT key FROM pieces WHERE imported >= ? ORDER BY key");
  if (!rows) return fail(rows.error());
  rows->bind(1, text);
  for (;;) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) break;
    pieces.push_back(PieceKey{rows->integer(0)});
  }
  return [known = std::move(pieces)](const StoredVoice& voice) {
    return std::binary_search(known.begin(), known.end(), voice.piece);
  };
}

}  // namespace

std::string_view to_string(Relation relation) {
  switch (relation) {
    case Relation::identical: return "identical";
    case Relation::transposed: return "transposed";
    case Relation::variant: return "variant";
    case Relation::part: return "part of";
    case Relation::whole: return "has as part";
  }
  return "";
}

struct Job::State {
  Collection* first = nullptr;
  Collection* second = nullptr;
  Options options;
  ChosenSystem system;
  MelodySet set;
  Scope scope = Scope::all;
  std::vector<std::uint32_t> rows;
  std::size_t strip = kMostRows;
  std::shared_ptr<gpu::Card> card;
  std::optional<Diagnostic> card_warning;
  std::unique_ptr<PairEngine> engine;
  Counts counts;

  [[nodiscard]] PairRule rule() const { return {options.least_score, !options.either}; }
  [[nodiscard]] std::size_t strips() const { return (rows.size() + strip - 1) / strip; }
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t number) const {
    const std::size_t begin = number * strip;
    return {rows.data() + begin, std::min(strip, rows.size() - begin)};
  }
  /// Says which run a journal belongs to; without `part` it is the same for all parts.
  [[nodiscard]] nlohmann::ordered_json description() const {
    return {{"melodies", set.melodies().size()},
            {"digest", fmt::format("{:016x}", set.digest())},
            {"system", options.system},
            {"settings", options.settings},
            {"least_score", options.least_score},
            {"either", options.either},
            {"least_notes", options.least_notes},
            {"since", options.since.value_or("")},
            {"rows", rows.size()},
            {"strip", strip}};
  }
  [[nodiscard]] nlohmann::ordered_json description(std::uint32_t part, std::uint32_t parts) const {
    auto out = description();
    out["part"] = part;
    out["parts"] = parts;
    return out;
  }
  /// An estimate of the work of a strip, for progress: pairs.
  [[nodiscard]] std::uint64_t pairs_of(std::size_t number) const {
    const auto own = rows_of(number);
    if (scope != Scope::all) return std::uint64_t{own.size()} * set.units();
    std::uint64_t out = 0;
    for (const std::uint32_t row : own) out += set.units() - 1 - row;
    return out;
  }
};

Job::Job(std::unique_ptr<State> state) : state_(std::move(state)) {}
Job::~Job() = default;
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(Job&&) noexcept = default;
const Counts& Job::counts() const { return state_->counts; }
const Options& Job::options() const { return state_->options; }
std::string Job::device() const { return state_->card ? gpu::name_of(*state_->card) : "cpu"; }
const std::optional<Diagnostic>& Job::card_warning() const { return state_->card_warning; }

Result<Job> Job::prepare(Collection& collection, Collection* against, Options options) {
  if (options.part < 1 || options.part > options.parts) {
    return fail("part-out-of-range", fmt::format("there is no part {} of {}", options.part, options.parts));
  }
  auto system = resolve_system(options.system, options.settings);
  if (!system) return fail(system.error());
  if (system->row->polyphonic || system->system->mixture() != nullptr) {
    return fail("concordances-system", fmt::format("'{}' does not compare one melody with another", options.system), {},
                "choose a system that compares two melodies, such as 'rondo'");
  }
  auto state = std::make_unique<State>();
  state->first = &collection;
  state->second = against;
  state->options = std::move(options);
  state->system = std::move(*system);
  if (against != nullptr) state->scope = Scope::between;
  if (state->options.since) state->scope = Scope::fresh;
  auto is_new = newness(collection, state->options.since);
  if (!is_new) return fail(is_new.error());
  const SearchPlan plan = state->system.system->plan();
  const bool rondo = std::holds_alternative<RondoPlan>(plan);
  if (!rondo && state->options.device == gpu::Device::cuda) {
    return fail("device-system", fmt::format("the graphics card does not compare with '{}'", state->options.system), {},
                "choose the system 'rondo', or --device cpu");
  }
  if (rondo) {
    state->card = state->options.card;
    auto card = gpu::card_for(state->card ? gpu::Device::cpu : state->options.device);
    if (!card) return fail(card.error());
    if (*card) state->card = std::move(*card);
  }
  const MelodySet::Options load{
      std::max(state->options.least_notes, static_cast<std::uint32_t>(state->system.shortest)), true, rondo};
  if (auto done = state->set.add(collection, load, false, *is_new); !done) return fail(done.error());
  if (against != nullptr) {
    auto done = state->set.add(*against, load, true, [](const StoredVoice&) { return false; });
    if (!done) return fail(done.error());
  }
  state->set.finish();
  if (state->system.system->learns()) {
    Line line;
    for (const Melody& melody : state->set.melodies()) {
      state->set.line(melody.unit, line);
      state->system.system->learn(line);
    }
  }
  state->rows = state->set.rows(state->scope);
  state->strip = std::clamp<std::size_t>(state->rows.size() / 128, 1, kMostRows);
  return Job(std::move(state));
}

Result<bool> Job::run(const std::filesystem::path& journal, const std::stop_token& stop, const Watcher& watch) {
  State& state = *state_;
  const Options& options = state.options;
  const std::string description = state.description(options.part, options.parts).dump();
  std::uint64_t bytes = 0;
  std::vector<char> done(state.strips(), 0);
  std::error_code ignored;
  if (std::filesystem::exists(journal, ignored)) {
    auto known = Journal::read(journal);
    if (!known) return fail(known.error());
    if (!known->description.empty() && known->description != description) {
      return fail("journal-other", "is the journal of another run, or the collection has changed since",
                  Place{journal.string(), {}, {}, 0, 0}, "remove it to begin anew, or give another --out");
    }
    bytes = known->bytes;
    for (const Journal::Strip& strip : known->strips) {
      if (strip.number < done.size()) done[strip.number] = 1;
    }
  }
  JournalWriter writer;
  if (auto begun = writer.begin(journal, description, bytes); !begun) return fail(begun.error());
  Progress progress;
  std::vector<std::size_t> left;
  for (std::size_t s = options.part - 1; s < done.size(); s += options.parts) {
    progress.total += state.pairs_of(s);
    if (done[s] != 0) {
      progress.before += state.pairs_of(s);
    } else {
      left.push_back(s);
    }
  }
  progress.done = progress.before;
  if (!left.empty() && !state.engine) {
    const EngineTask task{state.set,    state.scope, state.rows, *state.system.system,
                          state.rule(), state.card,  options.device != gpu::Device::cuda};
    state.engine = make_rondo_engine(task);
    if (!state.engine) state.engine = make_exhaustive_engine(task);
  }
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;  // of the journal, the counts and the progress
  std::optional<Error> failed;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> ended{false};
  const auto work = [&] {
    Journal::Strip strip;
    for (std::size_t i = next++; i < left.size() && !ended; i = next++) {
      Counts counts;
      strip.pairs.clear();
      strip.number = static_cast<std::uint32_t>(left[i]);
      if (!state.engine->find(state.rows_of(left[i]), stop, strip.pairs, counts)) {
        ended = true;
        return;
      }
      strip.decided = counts.pairs;
      const std::lock_guard lock(mutex);
      if (failed) return;
      if (auto written = writer.append(strip); !written) {
        failed = written.error();
        ended = true;
        return;
      }
      state.counts += counts;
      progress.pairs += counts.pairs;
      progress.done += state.pairs_of(left[i]);
      progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (watch) watch(progress);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::min<std::size_t>(options.threads, left.size()); ++t) others.emplace_back(work);
    work();
  }
  if (failed) return fail(*failed);
  if (auto closed = writer.close(); !closed) return fail(closed.error());
  if (state.engine) state.card_warning = state.engine->card_failure();
  if (ended && state.card_warning && options.device == gpu::Device::cuda) return fail(*state.card_warning);
  return !ended;
}

Result<Concordances> Job::collect(std::span<const std::filesystem::path> journals) const {
  const State& state = *state_;
  const MelodySet& set = state.set;
  std::vector<UnitPair> units;
  std::vector<char> done(state.strips(), 0);
  for (const auto& path : journals) {
    auto journal = Journal::read(path);
    if (!journal) return fail(journal.error());
    auto its = nlohmann::ordered_json::parse(journal->description, nullptr, false);
    if (its.is_object()) {
      its.erase("part");
      its.erase("parts");
    }
    if (its != state.description()) {
      return fail("journal-other", "is a part of another run, or the collection has changed since",
                  Place{path.string(), {}, {}, 0, 0}, "give the options of the parts and the collection as it was");
    }
    for (Journal::Strip& strip : journal->strips) {
      if (strip.number >= done.size() || done[strip.number] != 0) continue;
      done[strip.number] = 1;
      for (const UnitPair& pair : strip.pairs) {
        if (pair.a >= pair.b || pair.b >= set.units()) {
          return fail("journal-unreadable", "is damaged", Place{path.string(), {}, {}, 0, 0});
        }
        units.push_back(pair);
      }
    }
  }
  if (const auto missing = std::count(done.begin(), done.end(), 0); missing != 0) {
    return fail("parts-missing", fmt::format("{} of {} strips of work are in none of the parts", missing, done.size()),
                {}, "run the parts that are missing or were interrupted, then merge all of them");
  }
  std::sort(units.begin(), units.end(),
            [](const UnitPair& x, const UnitPair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });

  // From units to melodies.
  struct Raw {
    std::uint32_t a, b;
    double ab, ba;
    Relation relation;
  };
  std::vector<Raw> raw;
  const auto& melodies = set.melodies();
  for (const UnitPair& pair : units) {
    const bool there = pair.ab >= state.options.least_score;
    const bool back = pair.ba >= state.options.least_score;
    const Relation relation = there && back ? Relation::variant : there ? Relation::part : Relation::whole;
    for (const std::uint32_t a : set.members(pair.a)) {
      for (const std::uint32_t b : set.members(pair.b)) {
        if (MelodySet::wanted(state.scope, melodies[a], melodies[b])) raw.push_back({a, b, pair.ab, pair.ba, relation});
      }
    }
  }
  Line line;
  for (std::size_t unit = 0; unit < set.units(); ++unit) {
    const auto members = set.members(unit);
    if (members.size() < 2) continue;
    set.line(unit, line);
    const Score own = state.system.system->prepare(line)->score(line);
    if (!own.comparable || own.value < state.options.least_score) continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const Melody& a = melodies[members[i]];
        const Melody& b = melodies[members[j]];
        if (!MelodySet::wanted(state.scope, a, b)) continue;
        raw.push_back({members[i], members[j], own.value, own.value,
                       a.pitch == b.pitch ? Relation::identical : Relation::transposed});
      }
    }
  }

  // Names, and the order that depends on nothing else.
  Concordances out;
  out.compared = melodies.size();
  out.distinct = set.units();
  out.too_short = set.too_short();
  out.last_voice = set.last_voice();
  std::vector<std::uint32_t> involved;
  for (const Raw& pair : raw) {
    involved.push_back(pair.a);
    involved.push_back(pair.b);
  }
  std::sort(involved.begin(), involved.end());
  involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
  std::vector<MelodyRef> refs;
  std::map<std::pair<bool, PieceKey>, std::string> ids;
  for (const std::uint32_t m : involved) {
    const Melody& melody = melodies[m];
    auto& id = ids[{melody.second, melody.piece}];
    if (id.empty()) {
      auto read = (melody.second ? state.second : state.first)->id_of(melody.piece);
      if (!read) return fail(read.error());
      id = std::move(*read);
    }
    refs.push_back({melody.piece, melody.number, melody.second, id});
  }
  std::vector<std::uint32_t> order(refs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    return std::tie(refs[x].id, refs[x].voice, refs[x].second) < std::tie(refs[y].id, refs[y].voice, refs[y].second);
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
  for (const Raw& pair : raw) {
    Pair one{number(pair.a), number(pair.b), pair.ab, pair.ba, pair.relation};
    if (one.a > one.b) {
      std::swap(one.a, one.b);
      std::swap(one.ab, one.ba);
      if (one.relation == Relation::part) {
        one.relation = Relation::whole;
      } else if (one.relation == Relation::whole) {
        one.relation = Relation::part;
      }
    }
    out.pairs.push_back(one);
  }
  std::sort(out.pairs.begin(), out.pairs.end(),
            [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  if (state.options.most != 0) keep_best(out, state.options.most);
  return out;
}

}  // namespace rondo::concordances
