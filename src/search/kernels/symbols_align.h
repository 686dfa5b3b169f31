#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Local alignments of sequences of symbols, one document in each lane of a vector, in whole 8-bit numbers: exact.
namespace rondo::kernels {

/// Symbols are numbers below kSymbols; one that a document does not have stands where it has no more.
inline constexpr std::size_t kSymbols = 16;

/// A batch of documents, laid out [symbol][lane].
struct SymbolColumns {
  std::size_t columns = 0;
  AlignedVector<std::uint8_t> symbol;
};

/// What each symbol of the query scores against each of a document, with 3 added: so -3 .. 12, all as 0 .. 15.
using SymbolScores = std::array<std::uint8_t, kSymbols>;
inline constexpr std::uint8_t kSymbolZero = 3;

/// Equal symbols score 1, others -1, gaps -2. Any byte is a symbol. No more than 250 rows.
void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best);
void equal_symbols_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best);

/// The same with a table of scores for each symbol of the query. No alignment may reach 240.
void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best);
void scored_symbols_plain(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best);

/// Symbols to change, leave out or put in to turn the whole query into the whole document. No more than 255 in all.
void symbol_edits(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* distance);
void symbol_edits_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* distance);

}  // namespace rondo::kernels
