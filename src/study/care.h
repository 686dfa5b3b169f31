#pragma once

#include <cstddef>
#include <optional>

#include "study/study.h"

namespace rondo::study {

/// Figures on how carefully a participant worked. They have no effect: the researcher decides who is left out, with a
/// reason.
struct Care {
  std::size_t finished = 0;   ///< rankings declared finished
  std::size_t planted = 0;    ///< of these, with the query among the candidates
  std::size_t misplaced = 0;  ///< of these, without the query in the first place (alone or tied)
  std::size_t unchanged = 0;  ///< finished without ranking anything
  std::size_t saves = 0;      ///< each change of a ranking is a save
  /// Median over the finished rankings of the seconds from their first to their last save; nothing without moves.
  std::optional<double> seconds;
};

/// The study must have been loaded with its moves for `saves` and `seconds`.
[[nodiscard]] Care care_of(const Study& study, const Participant& participant);

}  // namespace rondo::study
