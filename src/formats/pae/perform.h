#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/pae/score.h"
#include "melody/repeats.h"
#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo::pae {

/// Plays a Score into a Voice: repeats expanded, ties merged, onsets computed. It guarantees the same invariants as
/// VoiceBuilder (order, limits), but reuses memory and avoids sums of fractions: this is the inner loop of an import.
/// The tests compare it with VoiceBuilder.
class Performer {
 public:
  /// Appends to `voice`, which must be empty but for name and keys.
  [[nodiscard]] Result<void> perform(const Score& score, bool expand_repeats, Voice& voice);

 private:
  /// A stretch: events between two repeat signs, and the values in force at the first of them (kNone: none).
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t clef = kNone;
    std::size_t key = kNone;
    std::size_t time = kNone;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void split();
  [[nodiscard]] Result<void> play_in_order();
  void play(std::size_t begin, std::size_t end);
  void jump_to(const Stretch& stretch);
  void begin_measure();
  void add_bar(Fraction onset);
  void add_note(const Event& event);
  void add_grace(const Event& event);
  void add_rest(const Event& event);
  void add_measures(const Event& event);
  void add_change(const Event& event);
  [[nodiscard]] bool continue_tie(const Event& event);
  void insert_by_height(const Note& note);
  [[nodiscard]] bool room_for_note();
  void stop(std::string code, std::string message);
  [[nodiscard]] Result<void> check() const;

  const Score* score_ = nullptr;
  Voice* voice_ = nullptr;
  Fraction now_;
  Fraction chord_onset_;
  bool bar_pending_ = false;
  bool stopped_ = false;
  Error error_;
  std::size_t chord_begin_ = 0;               ///< first new note of the current chord in the voice
  std::vector<std::uint32_t> sounding_;       ///< notes of the chord before, which ties may continue
  std::vector<std::uint32_t> next_sounding_;  ///< notes of the current chord
  std::vector<Stretch> stretches_;
  std::vector<RepeatMark> marks_;
};

}  // namespace rondo::pae
