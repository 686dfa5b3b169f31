#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/user_sql.h"

namespace rondo {

/// The pieces of which a voice fulfils a condition over the view `melodies`: what `--where` means everywhere. Each
/// once, by ascending keys.
[[nodiscard]] Result<std::vector<PieceKey>> pieces_where(Collection& collection, std::string_view expression,
                                                         const SqlLimits& limits = {});
/// A condition and a least number of notes as one condition; empty: none.
[[nodiscard]] std::string condition_of(const std::string& where, unsigned least_notes);
/// All pieces whose texts hold these words (store/full_text.h); no words: all there are.
[[nodiscard]] Result<PieceChoice> pieces_with(Collection& collection, std::string_view words);
[[nodiscard]] PieceChoice in_both(const PieceChoice& a, const PieceChoice& b);
/// Their ids, in byte order.
[[nodiscard]] Result<std::vector<std::string>> ids_where(Collection& collection, std::string_view expression,
                                                         const SqlLimits& limits = {});

/// What a list of melodies shows of each.
struct NamedMelody {
  std::string id;
  std::uint32_t voice = 0;  ///< of the piece, from 0
  std::string title;
  std::string composer;
};
/// In the same order; melodies that are no longer there are left out.
[[nodiscard]] Result<std::vector<NamedMelody>> name_melodies(Collection& collection,
                                                             std::span<const SelectedMelody> melodies);

}  // namespace rondo
