#pragma once

#include <cstddef>
#include <optional>

#include "study/study.h"

namespace rondo::study {

/// How carefully a participant worked, as far as that can be counted. It decides nothing: who is left out is the
/// researcher's choice, with a reason.
struct Care {
  std::size_t finished = 0;   ///< rankings declared finished
  std::size_t planted = 0;    ///< of them, those whose candidates had the query among them
  std::size_t misplaced = 0;  ///< of those, how many did not put the query first, alone or with others
  std::size_t unchanged = 0;  ///< finished without ranking anything
  std::size_t saves = 0;      ///< every change of a ranking is one
  /// Median over the finished rankings of the seconds from their first to their last save; nothing without moves.
  std::optional<double> seconds;
};

/// The study must have been loaded with its moves for `saves` and `seconds`.
[[nodiscard]] Care care_of(const Study& study, const Participant& participant);

}  // namespace rondo::study
