#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "melody/limits.h"
#include "rondo/melody/line.h"
#include "search/index/segment.h"
#include "search/kernels/tally.h"
#include "similarity/implication.h"

/// What the searches take for granted of a segment's values. Checksums tell damage; these tests tell a file that
/// somebody made on purpose: after them no value can lead out of its table, to a division by zero or to an overflow.
/// (Such a file may still name the wrong documents: then hits are missing, as in any wrong index.)
namespace rondo::index {
namespace {

constexpr int kMaxBase40 = 5300;  // of any pitch: octaves are eight bits

/// Every voice is made of playable pitches, and systems have tables of their differences.
bool pitch_ok(const PitchCode& pitch) {
  return pitch.midi >= 0 && pitch.midi <= 127 && pitch.base40 >= -kMaxBase40 && pitch.base40 <= kMaxBase40;
}

bool rational_ok(const Rational& r) {
  const std::int64_t most = 2 * limits::kWholes;
  return r.den > 0 && r.den <= kFinestGrid && r.num >= -most * r.den && r.num <= most * r.den;
}

bool time_ok(const TimeCode& time) {
  return rational_ok(time.gap) && rational_ok(time.duration) && time.duration.num > 0;
}

bool structure_ok(const StructureCode& code) {
  return code.archetype <= static_cast<std::uint8_t>(Archetype::monad) && code.retrospective <= 1 &&
         code.direction >= -1 && code.direction <= 1 && code.overlap >= 0 && code.overlap <= 2 &&
         code.notes <= kLongestStructure;
}

/// The times of all codes in ticks of one grid.
struct GridTimes {
  struct Entry {
    std::int64_t gap = 0;
    std::int64_t duration = 0;  ///< 0: is no whole number of ticks
  };
  std::array<Entry, 256> entries{};

  static Entry entry(const TimeCode& time, std::int64_t grid) {
    if (grid % time.gap.den != 0 || grid % time.duration.den != 0) return {};
    return {time.gap.num * (grid / time.gap.den), time.duration.num * (grid / time.duration.den)};
  }
  GridTimes(std::span<const TimeCode> table, std::int64_t grid) {
    for (std::size_t i = 0; i < table.size(); ++i) entries[i] = entry(table[i], grid);
    entries[kException] = {};
  }
};

/// Exceptions in the order of their notes, one for each note that has no code.
template <typename Exception>
bool exceptions_ok(std::span<const Exception> exceptions, std::span<const std::uint8_t> codes) {
  static_assert(kException == 255);  // the greatest
  if (kernels::count_at_least(codes, kException) != exceptions.size()) return false;
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    if (exceptions[i].note >= codes.size() || codes[exceptions[i].note] != kException) return false;
    if (i > 0 && exceptions[i - 1].note >= exceptions[i].note) return false;
  }
  return true;
}

/// A sparse list has so many documents, all of the segment. Nearly all numbers are short, and are summed up many at a
/// time.
bool sparse_ok(std::span<const std::uint8_t> bytes, std::uint64_t size, std::uint64_t documents) {
  if (const kernels::ShortNumbers numbers = kernels::short_numbers(bytes); numbers.count > 0)
    return numbers.count == size && numbers.sum + size <= documents;
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  std::uint64_t next = 0;
  std::uint64_t found = 0;
  while (at != end) {
    const std::uint64_t distance = get_varint(at, end);
    if (distance >= documents || next + distance >= documents) return false;
    next += distance + 1;
    ++found;
  }
  return found == size;
}

bool dense_ok(std::span<const std::uint8_t> bytes, std::uint64_t size, std::uint64_t documents) {
  if (bytes.size() != dense_bytes(documents)) return false;
  std::uint64_t last = 0;
  if (!bytes.empty()) std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  const bool beyond = documents % 64 != 0 && last >> (documents % 64) != 0;
  return kernels::bits_in(bytes) == size && !beyond;
}

}  // namespace

bool Segment::Lists::valid() const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i - 1] >= keys[i]) return false;
    if (sizes[i] == 0 || sizes[i] > documents) return false;
    const auto list = bytes.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    const bool fine =
        is_dense(sizes[i], documents) ? dense_ok(list, sizes[i], documents) : sparse_ok(list, sizes[i], documents);
    if (!fine) return false;
  }
  return true;
}

bool Segment::valid_runs() const {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (runs_[r].notes > limits::kNotesPerVoice || runs_[r].first_document >= run_end(r)) return false;
    if (r > 0 && runs_[r - 1].notes >= runs_[r].notes) return false;
  }
  return true;
}

bool Segment::valid_times() const {
  // Lists of bars: ascending, and the grid that each needs.
  std::vector<std::int64_t> needs(bar_lists_.size() - 1, 1);
  for (std::size_t list = 0; list < needs.size(); ++list) {
    for (std::uint32_t b = bar_lists_[list]; b < bar_lists_[list + 1]; ++b) {
      const Rational& bar = bar_times_[b];
      if (!rational_ok(bar) || bar.num < 0) return false;
      needs[list] = std::lcm(needs[list], bar.den);
      if (needs[list] > kFinestGrid) return false;
      if (b == bar_lists_[list]) continue;
      const Rational& before = bar_times_[b - 1];
      // Below 2^61: numerators are at most two million times their denominators, and those a million.
      if (before.num * bar.den > bar.num * before.den) return false;
    }
  }
  for (const Frame& frame : frames_) {
    if (frame.grid == 0 || frame.grid > kFinestGrid || frame.grid % needs[frame.bars] != 0) return false;
  }
  std::map<std::uint32_t, GridTimes> by_grid;
  std::uint32_t grid = 0;
  const GridTimes* times = nullptr;
  std::size_t exception = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    std::uint64_t note = runs_[r].first_note;
    for (DocumentId d = runs_[r].first_document; d < run_end(r); ++d) {
      if (ticks_per_whole(d) != grid) {
        constexpr std::size_t kMostKept = 1000;
        if (by_grid.size() > kMostKept) by_grid.clear();
        grid = ticks_per_whole(d);
        times = &by_grid.try_emplace(grid, time_table_, grid).first->second;
      }
      std::int64_t onset = 0;
      std::int64_t end = 0;
      const std::int64_t most = 2 * limits::kWholes * grid;
      for (std::uint32_t i = 0; i < runs_[r].notes; ++i, ++note) {
        GridTimes::Entry time = times->entries[times_[note]];
        if (times_[note] == kException) time = GridTimes::entry(time_exceptions_[exception++].value, grid);
        if (time.duration <= 0 || end + time.gap < onset) return false;
        onset = end + time.gap;
        end = onset + time.duration;
        if (end > most) return false;
      }
    }
  }
  return true;
}

bool Segment::valid_structures() const {
  if (!std::all_of(structure_codes_.begin(), structure_codes_.end(), structure_ok)) return false;
  std::uint64_t document = 0;
  bool beginning = true;
  for (std::uint64_t at = 0; at < structures_.size(); ++at) {
    if (beginning && document % kStructureStride == 0) {
      const std::uint64_t place = document / kStructureStride;
      if (place >= structure_starts_.size() || structure_starts_[place] != at) return false;
    }
    const std::uint8_t code = structures_[at] & (kLastStructure - 1U);
    if (code >= structure_codes_.size() && code != kStructureException) return false;
    beginning = structures_[at] >= kLastStructure;
    if (beginning) ++document;
  }
  return beginning && document == documents_;
}

bool Segment::valid_counts() const {
  std::uint64_t windows = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (runs_[r].notes >= 3) windows += std::uint64_t{run_end(r) - runs_[r].first_document} * (runs_[r].notes - 2);
  }
  for (std::size_t i = 0; i < three_counts_.size(); ++i) {
    if (i > 0 && three_count_keys_[i - 1] >= three_count_keys_[i]) return false;
    if (three_counts_[i] == 0 || three_counts_[i] > windows) return false;
    windows -= three_counts_[i];
  }
  return windows == 0;
}

bool Segment::valid_values() const {
  constexpr std::int64_t kMostKey =
      std::numeric_limits<std::int64_t>::max() - 2 * std::int64_t{std::numeric_limits<std::uint32_t>::max()};
  if (first_voice_ < -kMostKey || first_voice_ > kMostKey || first_piece_ < 0 || first_piece_ > kMostKey) return false;
  for (DocumentId d = 0; d < documents_; ++d) {
    if (voice(d) < VoiceKey{0}) return false;
  }
  const auto value_ok = [](const auto& exception) {
    if constexpr (std::is_same_v<std::decay_t<decltype(exception.value)>, PitchCode>) {
      return pitch_ok(exception.value);
    } else {
      return time_ok(exception.value);
    }
  };
  return valid_runs() && std::all_of(pitch_table_.begin(), pitch_table_.end(), pitch_ok) &&
         std::all_of(time_table_.begin(), time_table_.end(), time_ok) && exceptions_ok(pitch_exceptions_, pitches_) &&
         exceptions_ok(time_exceptions_, times_) &&
         std::all_of(pitch_exceptions_.begin(), pitch_exceptions_.end(), value_ok) &&
         std::all_of(time_exceptions_.begin(), time_exceptions_.end(), value_ok) && valid_times() &&
         valid_structures() && valid_counts() && three_.valid() && four_.valid() && rhythm_.valid();
}

}  // namespace rondo::index
