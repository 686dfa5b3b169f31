#include "concordances/melody_set.h"

#include <algorithm>
#include <future>
#include <numeric>

#include "base/in_parallel.h"
#include "melody/packed.h"

namespace rondo::concordances {
namespace {

/// Whether every score treats two lines alike. Lines are on their least grid, so equal times are equal numbers.
bool same_melody(const Line& a, const Line& b, bool in_any_key) {
  if (a.size() != b.size() || a.ticks_per_whole != b.ticks_per_whole || a.duration != b.duration) return false;
  if (!in_any_key && (a.pitch != b.pitch || a.base40 != b.base40 || a.bars != b.bars || a.onset != b.onset)) {
    return false;
  }
  const int higher = b.pitch[0] - a.pitch[0];
  const std::int64_t later = b.onset[0] - a.onset[0];
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b.pitch[i] - a.pitch[i] != higher || b.onset[i] - a.onset[i] != later) return false;
  }
  return true;
}

/// Equal for lines that are the same melody in any key.
std::uint64_t hash_of(const Line& line) {
  std::uint64_t out = 1469598103934665603U;
  const auto mix = [&](std::int64_t value) {
    out ^= static_cast<std::uint64_t>(value);
    out *= 1099511628211U;
    out ^= out >> 29U;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    mix(line.pitch[i] - line.pitch[0]);
    mix(line.onset[i] - line.onset[0]);
    mix(line.duration[i]);
  }
  return out;
}

Line unpacked(std::string_view packed) {
  thread_local Voice voice;
  // What is unpacked here was unpacked before: it is not damaged.
  if (!unpack(packed, voice)) return {};
  return make_line(voice);
}

}  // namespace

void MelodySet::mix(std::string_view bytes) {
  for (const char c : bytes) {
    digest_ ^= static_cast<std::uint8_t>(c);
    digest_ *= 0x100000001b3U;
  }
}

void MelodySet::Batch::read(const StoredVoice& stored, bool is_new) {
  voices.push_back({stored.key, stored.piece, stored.number, is_new, packed.size()});
  packed += stored.packed;
}

void MelodySet::Batch::hear(const Options& options) {
  thread_local Voice voice;
  for (std::size_t i = 0; i < voices.size(); ++i) {
    Read& own = voices[i];
    if (auto fine = unpack(bytes_of(i), voice); !fine) {
      own.damaged = fine.error();
      return;  // nothing behind it is added
    }
    const Line line = make_line(voice);
    own.notes = static_cast<std::uint32_t>(line.size());
    if (line.size() < std::max(2U, options.least_notes)) continue;
    const auto [low, high] = std::minmax_element(line.pitch.begin(), line.pitch.end());
    own.pitch = line.pitch[0];
    own.range = *high - *low;
    if (options.fold) own.hash = hash_of(line);
  }
}

Result<void> MelodySet::add(Collection& collection, const Options& options, bool second,
                            const std::function<bool(const StoredVoice&)>& is_new) {
  constexpr std::size_t kVoicesOfBatch = 1024;
  const std::size_t batches_at_once = std::max(1U, options.threads);
  std::vector<Batch> reading(1);
  std::future<Result<void>> adding;  // what was read before; meanwhile the next is read
  std::optional<Error> damaged;
  const auto finish_adding = [&] {
    if (!adding.valid()) return;
    if (auto done = adding.get(); !done) damaged = done.error();
  };
  const auto add_what_was_read = [&] {
    finish_adding();
    if (damaged) return;
    adding = std::async(std::launch::async, [this, &options, second, batches = std::move(reading)]() mutable {
      return hear_and_add(batches, options, second);
    });
    reading = std::vector<Batch>(1);
  };
  auto done = collection.each_voice([&](const StoredVoice& stored) {
    if (reading.back().voices.size() == kVoicesOfBatch) {
      if (reading.size() == batches_at_once) {
        add_what_was_read();
      } else {
        reading.emplace_back();
      }
    }
    reading.back().read(stored, is_new(stored));
    return !damaged.has_value();
  });
  add_what_was_read();
  finish_adding();
  if (damaged) return fail(*damaged);
  if (!done) return fail(done.error());
  return {};
}

Result<void> MelodySet::hear_and_add(std::vector<Batch>& batches, const Options& options, bool second) {
  in_parallel(batches.size(), 1, options.threads, [&](std::size_t b, std::size_t) { batches[b].hear(options); });
  for (const Batch& batch : batches) {
    if (auto added = add(batch, options, second); !added) return added;
  }
  return {};
}

Result<void> MelodySet::add(const StoredVoice& stored, const Options& options, bool second, bool is_new) {
  Batch batch;
  batch.read(stored, is_new);
  batch.hear(options);
  return add(batch, options, second);
}

Result<void> MelodySet::add(const Batch& batch, const Options& options, bool second) {
  for (std::size_t i = 0; i < batch.voices.size(); ++i) {
    const Batch::Read& voice = batch.voices[i];
    if (voice.damaged) return fail(*voice.damaged);
    const std::string_view packed = batch.bytes_of(i);
    const std::int64_t numbers[] = {static_cast<std::int64_t>(voice.key), static_cast<std::int64_t>(voice.piece),
                                    (second ? 1 : 0) + (voice.is_new ? 2 : 0)};
    mix({reinterpret_cast<const char*>(numbers), sizeof numbers});  // NOLINT(*-reinterpret-cast): their bytes
    mix(packed);
    if (!second) last_voice_ = std::max(last_voice_, static_cast<std::int64_t>(voice.key));
    if (voice.notes < std::max(2U, options.least_notes)) {
      ++too_short_;
      continue;
    }
    auto unit = static_cast<std::uint32_t>(notes_.size());
    if (options.fold) {
      auto& alike = by_hash_[voice.hash];
      const auto same = std::find_if(alike.begin(), alike.end(), [&](std::uint32_t other) {
        return same_melody(unpacked({packed_.data() + packed_at_[other], packed_size_[other]}), unpacked(packed),
                           options.fold_keys);
      });
      if (same != alike.end()) {
        unit = *same;
      } else {
        alike.push_back(unit);
      }
    }
    if (unit == notes_.size()) {
      notes_.push_back(voice.notes);
      range_.push_back(voice.range);
      packed_at_.push_back(packed_.size());
      packed_size_.push_back(static_cast<std::uint32_t>(packed.size()));
      packed_ += packed;
    }
    melodies_.push_back({voice.piece, voice.key, voice.number, unit, voice.pitch, second, voice.is_new});
  }
  return {};
}

void MelodySet::finish() {
  by_hash_ = {};
  std::vector<std::uint32_t> order(notes_.size());
  std::iota(order.begin(), order.end(), 0U);
  // Neighbours alike: what the engines look at together needs about the same work.
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return std::pair(notes_[a], range_[a]) < std::pair(notes_[b], range_[b]); });
  range_ = {};
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const auto in_order = [&](auto& column) {
    auto from = column;
    for (std::size_t i = 0; i < order.size(); ++i) column[i] = from[order[i]];
  };
  in_order(notes_);
  in_order(packed_at_);
  in_order(packed_size_);
  first_member_.assign(order.size() + 1, 0);
  kinds_.resize(order.size());
  for (Melody& melody : melodies_) {
    melody.unit = place[melody.unit];
    ++first_member_[melody.unit + 1];
    Kinds& kinds = kinds_[melody.unit];
    (melody.second ? kinds.second : kinds.first) = true;
    (melody.fresh ? kinds.fresh : kinds.old) = true;
  }
  std::partial_sum(first_member_.begin(), first_member_.end(), first_member_.begin());
  members_.resize(melodies_.size());
  std::vector<std::uint32_t> next(first_member_.begin(), first_member_.end() - 1);
  for (std::uint32_t m = 0; m < melodies_.size(); ++m) members_[next[melodies_[m].unit]++] = m;
}

void MelodySet::line(std::size_t unit, Line& out) const {
  out = unpacked({packed_.data() + packed_at_[unit], packed_size_[unit]});
}

bool MelodySet::wanted(Scope scope, const Melody& a, const Melody& b) {
  if (a.second == b.second && a.piece == b.piece) return false;
  if (scope == Scope::fresh) return a.fresh || b.fresh;
  return scope == Scope::all || a.second != b.second;
}

bool MelodySet::wanted(Scope scope, std::size_t a, std::size_t b) const {
  const Kinds& one = kinds_[a];
  const Kinds& other = kinds_[b];
  if (scope == Scope::fresh) return one.fresh || other.fresh;
  return scope == Scope::all || (one.first && other.second) || (one.second && other.first);
}

std::vector<std::uint32_t> MelodySet::rows(Scope scope) const {
  std::vector<std::uint32_t> out;
  const auto of = [&](auto has) {
    std::vector<std::uint32_t> units;
    for (std::uint32_t u = 0; u < kinds_.size(); ++u) {
      if (has(kinds_[u])) units.push_back(u);
    }
    return units;
  };
  if (scope == Scope::all) return of([](const Kinds&) { return true; });
  if (scope == Scope::fresh) return of([](const Kinds& kinds) { return kinds.fresh; });
  auto first = of([](const Kinds& kinds) { return kinds.first; });
  auto second = of([](const Kinds& kinds) { return kinds.second; });
  return first.size() <= second.size() ? first : second;
}

}  // namespace rondo::concordances
