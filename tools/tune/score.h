#pragma once

// The alignment that tools/tune/tune.cpp tunes: more features than the system has in the end, each with a weight that
// may become zero.

namespace tune {

constexpr int kMostNotes = 128;
constexpr int kNoInterval = 99;

struct Note {
  float length;  ///< log2 of the inter-onset interval, less its mean over the melody
  float change;  ///< length less that of the note before; 0 at the first
  float place;   ///< 0 at the first onset, 1 at the last
  float phrase;  ///< 0 at the first note after a long note, 1 at the next long note
  short pitch;
  signed char before;  ///< interval from the note before, or kNoInterval
  signed char after;   ///< interval to the next note, or kNoInterval
  bool repeated;       ///< same pitch as the note before
  bool rhythm;         ///< false: the melody's rhythm is unknown
};

/// A melody, or what a cut leaves of it.
struct Cut {
  int first;
  int count;
  int family;  ///< 0: none
  int source;  ///< line of the file
  int group;   ///< fold of its family, 1..; 0: none
};

enum Name {
  kSemitone,
  kWhole,
  kThird,
  kFourthFifth,
  kOctave,
  kOther,
  kLength,
  kLengthCap,
  kChange,
  kChangeCap,
  kPlace,
  kAfter,
  kRare,
  kWorthLength,
  kGap,
  kGapLength,
  kStart,
  kEnd,
  kTempo,
  kWorthMode,
  kNames
};

struct Weights {
  float value[kNames];
  float rare[32];  ///< how rare an interval is, 0..1, by its size
};

inline float least(float a, float b) { return a < b ? a : b; }
inline float most(float a, float b) { return a > b ? a : b; }
inline float apart(float a, float b) { return a < b ? b - a : a - b; }

inline float gap_cost(const Note& note, const Weights& w) {
  return note.rhythm ? w.value[kGap] * most(0.1F, 1 + w.value[kGapLength] * note.length) : w.value[kGap];
}

/// The transpositions in which most notes of the query can be kept in order, best first; of equal ones the lower.
template <int kCount>
inline void candidates(const Note* query, int n, const Note* document, int m, signed char* out) {
  int length[kCount];
  for (int k = 0; k < kCount; ++k) {
    length[k] = -1;
    out[k] = 0;
  }
  if (n > 64) n = 64;
  int q_low = 127, q_high = 0, d_low = 127, d_high = 0;
  for (int i = 0; i < n; ++i) {
    q_low = query[i].pitch < q_low ? query[i].pitch : q_low;
    q_high = query[i].pitch > q_high ? query[i].pitch : q_high;
  }
  for (int j = 0; j < m; ++j) {
    d_low = document[j].pitch < d_low ? document[j].pitch : d_low;
    d_high = document[j].pitch > d_high ? document[j].pitch : d_high;
  }
  unsigned long long where[64];
  for (int p = 0; p < 64; ++p) where[p] = 0;
  for (int i = 0; i < n; ++i) {
    const int p = query[i].pitch - q_low;
    if (p < 64) where[p] |= 1ULL << i;
  }
  for (int t = d_low - q_high; t <= d_high - q_low; ++t) {
    unsigned long long open = ~0ULL;
    for (int j = 0; j < m; ++j) {
      const int p = document[j].pitch - t - q_low;
      if (p < 0 || p >= 64) continue;
      const unsigned long long met = open & where[p];
      open = (open + met) | (open - met);
    }
    open = ~open;
    if (n < 64) open &= (1ULL << n) - 1;
    int common = 0;
    for (; open != 0; open &= open - 1) ++common;
    int k = kCount;
    for (; k > 0 && common > length[k - 1]; --k) {
      if (k == kCount) continue;
      length[k] = length[k - 1];
      out[k] = out[k - 1];
    }
    if (k < kCount) {
      length[k] = common;
      out[k] = static_cast<signed char>(t);
    }
  }
}

}  // namespace tune
