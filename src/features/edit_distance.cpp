#include "rondo/features/edit_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace rondo {
namespace {

/// The textbook dynamic programme, one row at a time; for any costs and lengths.
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

// The fast path computes the table by diagonals, whose cells do not depend on each other, many at once: sixteen in
// bytes, or eight in 16 bits if costs or strings are large. Costs are multiples of 1/2, 1/4, 1/8 or 1/16.
constexpr std::size_t kMost = 64;    ///< letters of either string
constexpr std::size_t kVector = 16;  ///< bytes that every processor handles at once
constexpr double kFinestUnit = 16;   ///< of a cost

template <typename Cell>
struct WholeCosts {
  Cell insertion;
  Cell deletion;
  Cell to_neutral;
  Cell opposite;
  double unit;  ///< units per 1
};

/// The costs in whole numbers, if every cell of the table and every sum on the way to it fits.
template <typename Cell>
std::optional<WholeCosts<Cell>> whole(const EditCosts& costs, std::size_t rows, std::size_t columns) {
  const double dearest = std::max({costs.insertion, costs.deletion, costs.to_neutral, costs.opposite});
  const double most =
      static_cast<double>(rows) * costs.deletion + static_cast<double>(columns) * costs.insertion + dearest;
  const auto is_whole = [](double cost) { return cost >= 0 && std::floor(cost) == cost; };
  for (double unit = 1; unit <= kFinestUnit && most * unit <= std::numeric_limits<Cell>::max(); unit *= 2) {
    if (is_whole(costs.insertion * unit) && is_whole(costs.deletion * unit) && is_whole(costs.to_neutral * unit) &&
        is_whole(costs.opposite * unit)) {
      const auto scaled = [&](double cost) { return static_cast<Cell>(cost * unit); };
      return WholeCosts<Cell>{scaled(costs.insertion), scaled(costs.deletion), scaled(costs.to_neutral),
                              scaled(costs.opposite), unit};
    }
  }
  return std::nullopt;
}

/// A vector type for any processor: an extension of g++ and clang, because their automatic vectorisation of a plain
/// loop is not reliable.
template <typename Cell>
struct Vector;

template <>
struct Vector<std::uint8_t> {
  using Lanes __attribute__((vector_size(kVector))) = std::uint8_t;
  /// Shifts all lanes up by one; `first` goes into the lowest.
  static Lanes shifted(Lanes v, std::uint8_t first) {
    return __builtin_shufflevector(Lanes{}, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30) |
           Lanes{first};
  }
};

template <>
struct Vector<std::int16_t> {
  using Lanes __attribute__((vector_size(kVector))) = std::int16_t;
  static Lanes shifted(Lanes v, std::int16_t first) {
    return __builtin_shufflevector(Lanes{}, v, 0, 8, 9, 10, 11, 12, 13, 14) | Lanes{first};
  }
};

/// A stripe of the table, as many rows as there are lanes, one diagonal after the other: lane k holds row k and is k
/// columns behind. All of it stays in registers; only the lowest row is stored, for the stripe below.
///
/// A lane that has not reached the first column yet reads the letter 0, whose substitution costs as much as a deletion,
/// and so keeps the value left of its row.
template <typename Cell>
class Stripe {
 public:
  using V = Vector<Cell>;
  using Lanes = typename V::Lanes;
  static constexpr std::size_t kLanes = kVector / sizeof(Cell);

  Stripe(const char* letters, std::size_t rows, std::size_t above, char neutral, const WholeCosts<Cell>& costs)
      : rows_(rows), neutral_(Lanes{} + letter(neutral)), costs_(costs) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      query_[k] = k < rows ? letter(letters[k]) : Cell{0};
      cells_[k] = static_cast<Cell>(costs.deletion * static_cast<int>(above + k + 1));
      above_[k] = static_cast<Cell>(costs.deletion * static_cast<int>(above + k));
    }
  }

  /// `row` is the row above the stripe from column 0 on, and becomes its lowest row. Returns its last cell.
  Cell run(std::string_view document, Cell* row) {
    const std::size_t columns = document.size();
    const std::size_t end = columns + rows_;
    for (std::size_t t = 1; t < end; ++t) {
      const bool inside = t <= columns;
      step(inside ? letter(document[t - 1]) : Cell{0}, inside ? row[t] : Cell{0});
      // Already read: safe to overwrite.
      if (t >= kLanes) row[t - kLanes + 1] = cells_[kLanes - 1];
    }
    row[0] = static_cast<Cell>(row[0] + costs_.deletion * static_cast<int>(rows_));
    return cells_[rows_ - 1];
  }

 private:
  static Cell letter(char c) { return static_cast<Cell>(static_cast<unsigned char>(c)); }

  void step(Cell next_letter, Cell next_above) {
    document_ = V::shifted(document_, next_letter);
    const Lanes corner = above_;
    above_ = V::shifted(cells_, next_above);
    const Lanes soft =
        ((query_ == neutral_) | (document_ == neutral_)) ? Lanes{} + costs_.to_neutral : Lanes{} + costs_.opposite;
    const Lanes differ = document_ == Lanes{} ? Lanes{} + costs_.deletion : soft;
    const Lanes replaced = corner + (query_ == document_ ? Lanes{} : differ);
    const Lanes deleted = above_ + costs_.deletion;
    const Lanes inserted = cells_ + costs_.insertion;
    const Lanes cheaper = deleted < inserted ? deleted : inserted;
    cells_ = replaced < cheaper ? replaced : cheaper;
  }

  std::size_t rows_;
  Lanes neutral_;
  WholeCosts<Cell> costs_;
  Lanes query_{};
  Lanes document_{};
  Lanes cells_{};
  Lanes above_{};
};

template <typename Cell>
double by_stripes(std::string_view query, std::string_view document, char neutral, const WholeCosts<Cell>& costs) {
  std::array<Cell, kMost + 1> row;
  for (std::size_t j = 0; j <= document.size(); ++j) row[j] = static_cast<Cell>(costs.insertion * static_cast<int>(j));
  Cell last = 0;
  for (std::size_t above = 0; above < query.size(); above += Stripe<Cell>::kLanes) {
    const std::size_t rows = std::min(Stripe<Cell>::kLanes, query.size() - above);
    last = Stripe<Cell>(query.data() + above, rows, above, neutral, costs).run(document, row.data());
  }
  return static_cast<double>(last) / costs.unit;
}

}  // namespace

double edit_distance(std::string_view query, std::string_view document, char neutral, const EditCosts& costs) {
  if (query.empty()) return static_cast<double>(document.size()) * costs.insertion;
  if (document.empty()) return static_cast<double>(query.size()) * costs.deletion;
  // The stripes use the letter 0 as a sentinel, so texts that contain it take the slow path.
  const bool quick = query.size() <= kMost && document.size() <= kMost && query.find('\0') == std::string_view::npos &&
                     document.find('\0') == std::string_view::npos;
  if (quick) {
    if (const auto small = whole<std::uint8_t>(costs, query.size(), document.size())) {
      return by_stripes(query, document, neutral, *small);
    }
    if (const auto large = whole<std::int16_t>(costs, query.size(), document.size())) {
      return by_stripes(query, document, neutral, *large);
    }
  }
  return by_rows(query, document, neutral, costs);
}

}  // namespace rondo
