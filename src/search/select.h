#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/user_sql.h"

namespace rondo {

/// The pieces with a voice that fulfils a condition over the view `melodies`: the meaning of `--where`. Each once,
/// ascending.
[[nodiscard]] Result<std::vector<PieceKey>> pieces_where(Collection& collection, std::string_view expression,
                                                         const SqlLimits& limits = {});
/// Combines a condition and a minimal number of notes; empty: none.
[[nodiscard]] std::string condition_of(const std::string& where, unsigned least_notes);
/// All pieces whose texts contain these words (store/full_text.h); without words: all pieces.
[[nodiscard]] Result<PieceChoice> pieces_with(Collection& collection, std::string_view words);
[[nodiscard]] PieceChoice in_both(const PieceChoice& a, const PieceChoice& b);
/// Their ids, in byte order.
[[nodiscard]] Result<std::vector<std::string>> ids_where(Collection& collection, std::string_view expression,
                                                         const SqlLimits& limits = {});

/// An entry in a list of melodies.
struct NamedMelody {
  std::string id;
  std::uint32_t voice = 0;  ///< of the piece, from 0
  std::string title;
  std::string composer;
};
/// In the same order; melodies that no longer exist are left out.
[[nodiscard]] Result<std::vector<NamedMelody>> name_melodies(Collection& collection,
                                                             std::span<const SelectedMelody> melodies);

}  // namespace rondo
