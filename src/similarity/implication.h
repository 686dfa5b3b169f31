#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rondo/melody/line.h"

/// Melodies as chains of implication-realisation structures, after Narmour: what an interval implies, and whether the
/// next one realises it (similarity.md, section 6).
namespace rondo {

enum class Archetype : std::uint8_t {
  process,                ///< P: a small interval, continued by a similar one
  duplication,            ///< D: a repeated note is repeated again
  intervallic_duplicate,  ///< ID: there and back
  intervallic_process,    ///< IP: similar in size, not in direction
  reversal,               ///< R: a large interval, then back by a smaller one
  intervallic_reversal,   ///< IR: a large interval, then on by a smaller one
  registral_reversal,     ///< VR: back by a larger interval
  registral_process,      ///< VP: on by a larger interval
  dyad,                   ///< two notes left over
  monad                   ///< one note left over
};

/// "P", "D", "ID", "IP", "R", "IR", "VR", "VP", "dyad", "monad".
[[nodiscard]] std::string_view to_string(Archetype archetype);

/// A range of notes that forms one structure.
struct Structure {
  Archetype archetype = Archetype::monad;
  bool retrospective = false;  ///< the first interval implied another structure; only the outcome has this form
  std::int8_t direction = 0;   ///< sign of the last pitch minus the first
  std::int8_t overlap = 0;     ///< notes it shares with the structure after it: 0, 1 or 2
  std::uint32_t begin = 0;     ///< first note
  std::uint32_t end = 0;       ///< one past the last note
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  friend bool operator==(const Structure&, const Structure&) = default;
};

/// The structure two successive intervals form: archetype and retrospective; the other members are not set.
[[nodiscard]] Structure classify(int first, int second);

/// How strongly a note closes the structure before it.
enum class Closure : std::uint8_t {
  none,   ///< the next structure shares an interval with this one
  weak,   ///< it shares this note: longer than the one before it
  strong  ///< it shares nothing: a rest follows, or it is at least half as long again as the one before it
};
/// Depends only on the times of the notes; the last note closes strongly.
[[nodiscard]] Closure closure_at(const Line& line, std::size_t note);

/// The chain of structures, from left to right; `out` is emptied first. A reversal (R) closes weakly by its form.
/// Without closure, adjacent structures that are both P, both D or both ID are merged. A note or an interval that
/// closes before there are three notes is a monad or dyad.
void parse_structures(const Line& line, std::vector<Structure>& out);

}  // namespace rondo
