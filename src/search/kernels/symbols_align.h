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

/// What each symbol of the query scores against each of a document; in scored_symbols with 3 added, so -3 .. 12, all as
/// 0 .. 15.
using SymbolScores = std::array<std::uint8_t, kSymbols>;
inline constexpr std::uint8_t kSymbolZero = 3;

/// Equal symbols score 1, others -1, gaps -2. Any byte is a symbol. No more than 250 rows.
void equal_symbols(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best);
void equal_symbols_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best);

/// The same with a table of scores for each symbol of the query. No alignment may reach 240.
void scored_symbols(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best);
void scored_symbols_plain(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best);

/// What pairing symbols saves of the edits that turn the whole query into the whole document, against leaving out all
/// of the one and putting in all of the other: so edits are as many as both have symbols, less this. The shorter of
/// the two has no more than kMostSaved symbols; the other may have any number.
inline constexpr std::size_t kMostSaved = 127;
void edits_saved(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* saved);
void edits_saved_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* saved);

/// The same with any costs: a table for each symbol of the query of what it saves to pair it with each of a document,
/// nothing added. No alignment may save more than 255.
void pairs_saved(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* saved);
void pairs_saved_plain(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* saved);

}  // namespace rondo::kernels
