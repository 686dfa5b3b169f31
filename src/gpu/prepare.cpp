#include "gpu/prepare.h"

#include <algorithm>
#include <array>
#include <functional>

#include "gpu/gain_bound.h"

namespace rondo::gpu {
namespace {

static_assert(kEqualPitch == explained::kFine);
static_assert(kMostLengthSteps == explained::kMostLength);

/// Each melody begins at a multiple of four, so that four pitches are read at once.
constexpr std::size_t kNotesTogether = 4;

QueryCosts query_costs(const explained::Costs& from) {
  const explained::Settings& settings = from.settings();
  QueryCosts out{};
  out.near = settings.near;
  out.far = settings.far;
  out.length = settings.length;
  out.change = settings.change;
  out.interval = settings.interval;
  out.overhang = settings.overhang;
  out.even_gap = from.gap(0);
  out.rhythm = from.rhythm() ? 1 : 0;
  for (std::int32_t steps = -kMostLengthSteps; steps <= kMostLengthSteps; ++steps) {
    const auto at = static_cast<std::size_t>(steps + kMostLengthSteps);
    out.weight[at] = from.weight(steps);
    out.gap[at] = from.gap(steps);
    out.beyond[at] = from.beyond(steps);
  }
  return out;
}

}  // namespace

std::unique_ptr<CostTables> cost_tables(const explained::Costs& even, const explained::Costs& rhythmic) {
  auto out = std::make_unique<CostTables>();
  out->of[0] = query_costs(even);
  out->of[1] = query_costs(rhythmic);
  for (std::size_t query = 1; query <= kMostNotes; ++query) {
    for (std::size_t document = 1; document <= kMostNotes; ++document) {
      out->place_factor[query][document] = rhythmic.place_factor(query, document);
    }
  }
  return out;
}

bool MelodyColumns::fits(const explained::Features& features) {
  if (features.size() < explained::kShortest || features.size() > kMostNotes) return false;
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  return *high - *low <= kMostPitch;
}

void MelodyColumns::add(const explained::Features& features, const explained::Costs& even,
                        const explained::Costs& rhythmic) {
  const auto [low, high] = std::minmax_element(features.pitch.begin(), features.pitch.end());
  Melody melody{};
  melody.first_note = static_cast<std::uint32_t>(notes.size());
  melody.notes = static_cast<std::uint8_t>(features.size());
  melody.rhythm = features.rhythm ? 1 : 0;
  melody.range = static_cast<std::uint8_t>(*high - *low);
  melody.perfect = (features.rhythm ? rhythmic : even).perfect(features);
  for (std::size_t i = 0; i < features.size(); ++i) {
    Note note{};
    note.pitch = static_cast<std::uint8_t>(features.pitch[i] - *low);
    note.next = static_cast<std::int8_t>(features.next[i]);
    note.length = static_cast<std::int8_t>(features.length[i]);
    note.change = static_cast<std::int8_t>(features.change[i]);
    note.place = static_cast<std::uint16_t>(features.place[i]);
    note.gap = static_cast<std::int16_t>(rhythmic.gap(note.length));
    notes.push_back(note);
  }
  melodies.push_back(melody);
  fill_up();
}

void MelodyColumns::add_none() {
  Melody melody{};
  melody.first_note = static_cast<std::uint32_t>(notes.size());
  melodies.push_back(melody);
}

void MelodyColumns::add_from(const MelodyColumns& other, std::size_t number) {
  const auto from = other.notes_of(number);
  melodies.push_back(other.melodies[number]);
  melodies.back().first_note = static_cast<std::uint32_t>(notes.size());
  notes.insert(notes.end(), from.begin(), from.end());
  fill_up();
}

void MelodyColumns::fill_up() { notes.resize((notes.size() + kNotesTogether - 1) / kNotesTogether * kNotesTogether); }

Query make_query(const Melody& melody, std::span<const Note> notes, std::uint32_t number) {
  Query out{};
  out.melody = melody;
  out.number = number;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const Note& note = notes[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    out.note[i] = note;
    out.where[note.pitch] |= bit;
    for (std::uint32_t pitch = note.pitch + 1U; pitch < std::size(out.below); ++pitch) ++out.below[pitch];
    const std::int32_t first = std::max(-kMostLengthSteps, note.length - kAlikeSteps);
    const std::int32_t last = std::min(kMostLengthSteps, note.length + kAlikeSteps);
    for (std::int32_t length = first; length <= last; ++length) out.alike[length + kMostLengthSteps] |= bit;
    if (i + 1 < notes.size()) {
      out.next[static_cast<std::uint32_t>(note.next) % kNextClasses] |= bit;
    } else {
      for (std::uint64_t& next : out.next) next |= bit;
    }
  }
  return out;
}

std::uint32_t least_gain(const CostTables& costs, bool rhythm, std::span<const Note> notes, std::int32_t total) {
  const GainUnits units = gain_units(costs.of[1]);
  const QueryCosts& own = costs.of[rhythm ? 1 : 0];
  const std::int64_t other = std::max({0, own.near, own.far});
  std::array<std::int64_t, kMostNotes> weights{};
  std::int64_t missing = std::int64_t{total} << 15U;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    weights[i] = own.weight[notes[i].length + kMostLengthSteps];
    missing -= other * weights[i] + (1 << 14);
  }
  std::sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(notes.size()), std::greater<>());
  std::uint32_t gain = 0;
  const auto most = static_cast<std::uint32_t>(kGainUnits * notes.size());
  for (; gain < most && missing > 0; ++gain) missing -= units.unit * weights[gain / kGainUnits];
  if (missing > 0) return kNoGain;
  return rhythm || units.alike == 0 ? gain : (gain * units.equal + units.equal) / (units.equal + 1);
}

}  // namespace rondo::gpu
