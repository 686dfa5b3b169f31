#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// A lower bound of what any alignment of the system rondo (similarity/systems/rondo.h) loses against the query aligned
/// with itself, in every transposition at once, one document in each lane of a vector.
///
/// A cell of the table has two values: the least loss of an alignment that ends there with a pair of equal pitches, and
/// of one that ends there otherwise. In one transposition two adjacent pairs of equal pitches have equal intervals, so
/// the first value continues itself only where the intervals to the next note agree. That makes pitches unnecessary:
/// the kernel sees intervals and rhythm only.
///
/// Losses are in units of any size. Each term is rounded down and sums saturate, so the result is never above the true
/// loss; the coarser the unit the lower it is.
namespace rondo::kernels {

/// A batch of documents with equally many notes, [note][lane] in each column.
struct ExplainedLossColumns {
  std::size_t notes = 0;
  const std::int8_t* next = nullptr;    ///< interval to the next note, limited to 8 bits
  const std::int8_t* length = nullptr;  ///< steps, see explained::Features
  const std::int8_t* change = nullptr;
  const std::uint8_t* place = nullptr;  ///< in units of kPlaceUnit, rounded down, limited to 255
};
inline constexpr int kPlaceUnit = 64;

/// The query in units of type Unit (8 or 16 bits without sign).
template <typename Unit>
struct ExplainedLossRows {
  /// What a pair loses by its rhythm: (|length - length of the document's note| * length_cost + the same of change) *
  /// factor / 2^16.
  struct Rhythm {
    std::int16_t length = 0;
    std::int16_t change = 0;
    std::uint16_t factor = 0;
  };
  std::vector<Rhythm> rhythms;         ///< distinct
  std::vector<std::int8_t> intervals;  ///< distinct
  std::vector<std::uint16_t> rhythm;   ///< by note: index into rhythms
  std::vector<std::uint16_t> next;     ///< by note: index into intervals
  std::vector<Unit> unequal;           ///< by note: lost by a pair of different pitches
  std::vector<Unit> interval;          ///< by note: lost where the next intervals differ; 0 at the last
  std::vector<Unit> left_out;          ///< by note
  std::vector<Unit> beyond;            ///< by note: left out before or after the whole document
  std::vector<std::uint8_t> place;     ///< by note, as in ExplainedLossColumns
  std::uint16_t length_cost = 0;
  std::uint16_t change_cost = 0;
  // A document's note that is left out loses max(gap_least, gap_base + (length + kGapFrom) * gap_slope / 2^8).
  static constexpr int kGapFrom = 16;
  std::int16_t gap_base = 0;
  std::int16_t gap_slope = 0;
  std::int16_t gap_least = 0;
  Unit overhang = 0;  ///< lost at most at each end of the document

  [[nodiscard]] std::size_t size() const { return rhythm.size(); }
};

/// The loss of each lane. `place`: what a difference of one unit of place loses, by note, times 2^8; empty: places are
/// not compared.
void explained_loss(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                    std::uint8_t* loss);
void explained_loss(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                    std::span<const std::uint16_t> place, std::uint16_t* loss);
void explained_loss_plain(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                          std::uint8_t* loss);
void explained_loss_plain(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                          std::span<const std::uint16_t> place, std::uint16_t* loss);

}  // namespace rondo::kernels
