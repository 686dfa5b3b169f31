#include "rondo/features/edit_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace rondo {
namespace {

/// The textbook table, one row at a time; for any costs and lengths.
double by_rows(std::string_view query, std::string_view document, char neutral, const EditCosts& costs) {
  thread_local std::vector<double> row;
  row.resize(document.size() + 1);
  row[0] = 0;
  for (std::size_t j = 1; j < row.size(); ++j) row[j] = row[j - 1] + costs.insertion;
  for (const char q : query) {
    double corner = row[0];
    row[0] += costs.deletion;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const char d = document[j - 1];
      const double change = q == d ? 0 : q == neutral || d == neutral ? costs.to_neutral : costs.opposite;
      const double cell = std::min({corner + change, row[j] + costs.deletion, row[j - 1] + costs.insertion});
      corner = row[j];
      row[j] = cell;
    }
  }
  return row.back();
}

// The quick way goes through the table by its anti-diagonals, whose cells do not depend on each other, so that eight
// are computed side by side. Costs are whole numbers of sixteenths in 16 bits.
constexpr std::size_t kMost = 64;  ///< letters of either string
constexpr std::size_t kLanes = 8;
constexpr double kUnit = 16;

struct WholeCosts {
  std::int16_t insertion;
  std::int16_t deletion;
  std::int16_t to_neutral;
  std::int16_t opposite;
};

std::optional<WholeCosts> whole(const EditCosts& costs, std::size_t letters) {
  const std::array all = {costs.insertion, costs.deletion, costs.to_neutral, costs.opposite};
  double dearest = 0;
  for (const double cost : all) {
    if (!(cost >= 0 && cost < INT16_MAX / kUnit) || std::floor(cost * kUnit) != cost * kUnit) return std::nullopt;
    dearest = std::max(dearest, cost);
  }
  if (dearest * kUnit * static_cast<double>(letters + 2) >= INT16_MAX) return std::nullopt;
  const auto scaled = [](double cost) { return static_cast<std::int16_t>(cost * kUnit); };
  return WholeCosts{scaled(all[0]), scaled(all[1]), scaled(all[2]), scaled(all[3])};
}

/// Cells of the diagonal i + j = d, by i. Those outside the table hold what may be anything; the borders are set.
using Diagonal = std::array<std::int16_t, kMost + 2 * kLanes>;

/// Eight numbers that are added and compared at once, on any processor: an extension that g++ and clang share, as their
/// own vectorisation of the plain loop cannot be relied on.
using Lanes = std::int16_t __attribute__((vector_size(2 * kLanes)));

inline Lanes load(const std::int16_t* from) {
  Lanes out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

inline Lanes all_of(std::int16_t value) { return Lanes{} + value; }

/// Comparisons give lanes of ones or zeros.
inline Lanes choose(Lanes mask, Lanes yes, Lanes no) { return (mask & yes) | (~mask & no); }

/// Cells i, i + 1, ... of a diagonal, eight of them; the arguments begin at i - 1. `letters` and `others` are the two
/// strings, so laid out that both are read upwards.
inline void eight_cells(const std::int16_t* before, const std::int16_t* two_before, const std::int16_t* letters,
                        const std::int16_t* others, const WholeCosts& costs, std::int16_t neutral,
                        std::int16_t* cells) {
  const Lanes q = load(letters);
  const Lanes d = load(others);
  const Lanes soft = (q == neutral) | (d == neutral);
  const Lanes change = ~(q == d) & choose(soft, all_of(costs.to_neutral), all_of(costs.opposite));
  const Lanes replaced = load(two_before) + change;
  const Lanes deleted = load(before) + costs.deletion;
  const Lanes inserted = load(before + 1) + costs.insertion;
  const Lanes cheaper = choose(deleted < inserted, deleted, inserted);
  const Lanes cheapest = choose(replaced < cheaper, replaced, cheaper);
  std::memcpy(cells, &cheapest, sizeof cheapest);
}

double by_diagonals(std::string_view query, std::string_view document, char neutral, const WholeCosts& costs) {
  const std::size_t rows = query.size();
  const std::size_t columns = document.size();
  // q[i - 1] is letter i of the query; the document runs backwards, so that d[columns - j] is its letter j.
  std::array<std::int16_t, kMost + 2 * kLanes> q{};
  std::array<std::int16_t, 3 * kMost + 4 * kLanes> d{};
  for (std::size_t i = 0; i < rows; ++i) q[i] = query[i];
  constexpr std::size_t kPad = kMost + kLanes;
  for (std::size_t j = 0; j < columns; ++j) d[kPad + columns - 1 - j] = document[j];

  Diagonal one{};  // i + j = 0
  Diagonal two{};
  Diagonal three{};
  Diagonal* two_before = &one;
  Diagonal* before = &two;
  Diagonal* now = &three;
  (*before)[0] = costs.insertion;
  (*before)[1] = costs.deletion;
  for (std::size_t sum = 2; sum <= rows + columns; ++sum) {
    const std::size_t first = std::max<std::size_t>(1, sum > columns ? sum - columns : 0);
    const std::size_t last = std::min(rows, sum - 1);
    for (std::size_t i = first; i <= last; i += kLanes) {
      // Letter j = sum - i of the document, then j - 1, ...
      eight_cells(before->data() + i - 1, two_before->data() + i - 1, q.data() + i - 1,
                  d.data() + kPad + columns - sum + i, costs, neutral, now->data() + i);
    }
    if (sum <= columns) (*now)[0] = static_cast<std::int16_t>(costs.insertion * static_cast<int>(sum));
    if (sum <= rows) (*now)[sum] = static_cast<std::int16_t>(costs.deletion * static_cast<int>(sum));
    Diagonal* oldest = two_before;
    two_before = before;
    before = now;
    now = oldest;
  }
  return (*before)[rows] / kUnit;
}

}  // namespace

double edit_distance(std::string_view query, std::string_view document, char neutral, const EditCosts& costs) {
  if (query.empty()) return static_cast<double>(document.size()) * costs.insertion;
  if (document.empty()) return static_cast<double>(query.size()) * costs.deletion;
  if (query.size() <= kMost && document.size() <= kMost) {
    if (const auto small = whole(costs, query.size() + document.size())) {
      return by_diagonals(query, document, neutral, *small);
    }
  }
  return by_rows(query, document, neutral, costs);
}

}  // namespace rondo
