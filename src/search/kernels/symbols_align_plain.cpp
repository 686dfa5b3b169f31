#include <algorithm>

#include "search/kernels/symbols_align.h"

namespace rondo::kernels {
namespace {

template <typename Score>
void align_plain(std::size_t rows, const SymbolColumns& columns, std::uint8_t* best, const Score& score) {
  std::vector<int> row(columns.columns + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    std::fill(row.begin(), row.end(), 0);
    int most = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      int corner = 0;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const int paired = corner + score(i, columns.symbol[(j - 1) * kBatch + lane]);
        corner = row[j];
        row[j] = std::max({0, paired, row[j] - 2, row[j - 1] - 2});
        most = std::max(most, row[j]);
      }
    }
    best[lane] = static_cast<std::uint8_t>(most);
  }
}

}  // namespace

void equal_symbols_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_plain(query.size(), columns, best, [&](std::size_t i, std::uint8_t s) { return query[i] == s ? 1 : -1; });
}

void scored_symbols_plain(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* best) {
  align_plain(query.size(), columns, best, [&](std::size_t i, std::uint8_t s) { return query[i][s] - kSymbolZero; });
}

void edits_saved_plain(std::span<const std::uint8_t> query, const SymbolColumns& columns, std::uint8_t* saved) {
  std::vector<int> row(columns.columns + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int>(j);
    for (const std::uint8_t symbol : query) {
      int corner = row[0]++;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const int changed = corner + (columns.symbol[(j - 1) * kBatch + lane] == symbol ? 0 : 1);
        corner = row[j];
        row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
      }
    }
    saved[lane] = static_cast<std::uint8_t>(static_cast<int>(query.size() + columns.columns) - row.back());
  }
}

void pairs_saved_plain(std::span<const SymbolScores> query, const SymbolColumns& columns, std::uint8_t* saved) {
  std::vector<int> row(columns.columns + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    std::fill(row.begin(), row.end(), 0);
    for (const SymbolScores& saves : query) {
      int corner = 0;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const int paired = corner + saves[columns.symbol[(j - 1) * kBatch + lane]];
        corner = row[j];
        row[j] = std::max({paired, row[j], row[j - 1]});
      }
    }
    saved[lane] = static_cast<std::uint8_t>(row.back());
  }
}

}  // namespace rondo::kernels
