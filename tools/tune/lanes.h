#pragma once

// The alignment of score.h for sixteen documents at once.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "score.h"

namespace tune {

constexpr std::size_t kLanes = 16;
using Floats = float __attribute__((vector_size(64)));
using Ints = std::int32_t __attribute__((vector_size(64)));

inline Floats all(float x) { return Floats{} + x; }
inline Ints all(std::int32_t x) { return Ints{} + x; }
inline Floats least(Floats a, Floats b) { return a < b ? a : b; }
inline Floats most(Floats a, Floats b) { return a > b ? a : b; }
inline Floats size_of(Floats a) { return reinterpret_cast<Floats>(reinterpret_cast<Ints>(a) & all(0x7fffffff)); }

struct LaneNote {
  Floats length, change, place, phrase;
  Ints pitch, before, after, repeated;
};

/// Up to sixteen documents, padded to the longest.
struct Batch {
  std::vector<int> document;
  std::vector<LaneNote> notes;
  std::vector<Ints> transposition;
  Ints count{};
  int longest = 0;
  int shortest = 1 << 20;
  bool rhythm = true;

  void add(int which, const Note* /*notes*/, int size, const signed char* found, int candidates) {
    const std::size_t lane = document.size();
    document.push_back(which);
    count[lane] = size;
    longest = size > longest ? size : longest;
    shortest = size < shortest ? size : shortest;
    transposition.resize(static_cast<std::size_t>(candidates));
    for (int k = 0; k < candidates; ++k) transposition[static_cast<std::size_t>(k)][lane] = found[k];
  }

  void settle(const Note* all_notes, const std::vector<Cut>& cuts, const std::vector<int>& documents) {
    notes.assign(static_cast<std::size_t>(longest), LaneNote{});
    for (std::size_t lane = 0; lane < document.size(); ++lane) {
      const Cut& cut = cuts[static_cast<std::size_t>(documents[static_cast<std::size_t>(document[lane])])];
      for (int j = 0; j < longest; ++j) {
        LaneNote& to = notes[static_cast<std::size_t>(j)];
        Note from{};
        from.before = from.after = kNoInterval;
        from.pitch = -1000;
        if (j < cut.count) from = all_notes[cut.first + j];
        to.length[lane] = from.length;
        to.change[lane] = from.change;
        to.place[lane] = from.place;
        to.phrase[lane] = from.phrase;
        to.pitch[lane] = from.pitch;
        to.before[lane] = from.before;
        to.after[lane] = from.after;
        to.repeated[lane] = from.repeated ? -1 : 0;
      }
    }
  }

  /// The best explanation of the query by each document.
  void align(const Note* query, int n, const Weights& w, int candidates, float* out) const {
    Floats best = all(-1e6F);
    for (int k = 0; k < candidates; ++k) {
      const Ints& moved = transposition[static_cast<std::size_t>(k)];
      best = most(best, align_once(query, n, w, moved, 0));
      if (w.value[kTempo] == 0) continue;
      best = most(best, align_once(query, n, w, moved, w.value[kTempo]));
      best = most(best, align_once(query, n, w, moved, -w.value[kTempo]));
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) out[lane] = best[lane];
  }

  Floats align_once(const Note* query, int n, const Weights& w, const Ints& moved, float slower) const {
    const float* v = w.value;
    Floats best[kMostNotes + 1];
    Floats leave[kMostNotes + 1];
    const bool timed = query[0].rhythm;
    const Floats sizes = __builtin_convertvector(count, Floats);
    const Floats shorter = least(sizes, all(static_cast<float>(n)));
    const Floats longer = most(sizes, all(static_cast<float>(n)));
    const Floats place = v[kPlace] * (shorter / longer);
    const Floats values = {1,          v[kSemitone],    v[kWhole], v[kThird], v[kThird], v[kFourthFifth],
                           v[kOther],  v[kFourthFifth], v[kOther], v[kOther], v[kOther], v[kOther],
                           v[kOctave], v[kOther],       v[kOther], v[kOther]};
    for (int j = 0; j <= longest; ++j) {
      best[j] = all(j > 0 ? -v[kStart] : 0);
      if (j == 0) continue;
      const LaneNote& d = notes[static_cast<std::size_t>(j - 1)];
      leave[j] = timed ? v[kGap] * most(all(0.1F), 1 + v[kGapLength] * d.length) : all(v[kGap]);
    }
    float full = 0;
    for (int i = 1; i <= n; ++i) {
      const Note q = query[i - 1];
      const float leave_q = gap_cost(q, w);
      const float worth = q.rhythm ? most(0.1F, 1 + v[kWorthLength] * q.length) : 1;
      full += worth;
      Floats corner = best[0];
      best[0] -= leave_q;
      const Ints wanted = moved + q.pitch;
      const int size = q.before < 0 ? -q.before : q.before;
      const float rare = q.before == kNoInterval ? 0 : v[kRare] * w.rare[size > 31 ? 31 : size];
      const float after = q.after == kNoInterval ? 0 : v[kAfter];
      for (int j = 1; j <= longest; ++j) {
        const LaneNote& d = notes[static_cast<std::size_t>(j - 1)];
        Ints distance = d.pitch - wanted;
        distance = distance < 0 ? -distance : distance;
        distance = distance > 15 ? all(15) : distance;
        Floats s = __builtin_shuffle(values, distance);
        if (timed) {
          s -= v[kLength] * least(all(v[kLengthCap]), size_of(d.length - (q.length + slower)));
          s -= v[kChange] * least(all(v[kChangeCap]), size_of(d.change - q.change));
          s -= place * size_of(d.place - q.place);
        }
        s = (d.after != q.after) & (d.after != kNoInterval) ? s - after : s;
        s = (d.before == q.before) & (distance == 0) ? s + rare : s;
        if (v[kWorthMode] == 0)
          s *= worth;
        else
          s = distance == 0 ? s + (worth - 1) : s;
        const Floats cell = most(corner + s, most(best[j - 1] - leave[j], best[j] - leave_q));
        corner = best[j];
        best[j] = cell;
      }
    }
    Floats highest = all(-1e6F);
    for (int j = 0; j <= longest; ++j) {
      const Floats rest = sizes - static_cast<float>(j);
      highest = rest < 0 ? highest : most(highest, rest == 0 ? best[j] : best[j] - v[kEnd]);
    }
    return highest / full;
  }
};

}  // namespace tune
