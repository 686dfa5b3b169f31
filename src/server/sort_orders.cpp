#include "server/sort_orders.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

#include "server/facets.h"
#include "store/sqlite.h"

namespace rondo::server {
namespace {

template <typename Key>
std::vector<std::uint32_t> places(const std::vector<Key>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  std::vector<std::uint32_t> place(keys.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

/// Sort key of a title: only letters, lower case, Latin letters without accents. Empty titles come last.
std::string sort_key(std::string_view title) {
  std::string out;
  for (std::size_t i = 0; i < title.size(); ++i) {
    const auto c = static_cast<unsigned char>(title[i]);
    if (c == 0xC3 && i + 1 < title.size()) {
      // U+00C0..00FF in the order of their code: the letters that they are without accents.
      constexpr std::string_view kPlain = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
      const auto next = static_cast<unsigned char>(title[++i]);
      out += kPlain[next & 0x3FU];
    } else if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c + 32);
    } else if (c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += static_cast<char>(c);
    } else if (c == ' ' && !out.empty()) {
      out += ' ';
    }
  }
  return out.empty() ? "\xFF" : out;
}

}  // namespace

Result<Sort> sort_of(std::string_view name) {
  if (name == "score") return Sort::score;
  if (name == "year") return Sort::year;
  if (name == "title") return Sort::title;
  return fail("argument-sort", "'sort' must be score, year or title");
}

std::string_view to_string(Sort sort) { return sort == Sort::score ? "score" : sort == Sort::year ? "year" : "title"; }

int year_of(std::string_view written) {
  constexpr int kUnknown = 9999;
  for (std::size_t i = 0; i + 4 <= written.size(); ++i) {
    const bool four =
        std::all_of(written.begin() + static_cast<std::ptrdiff_t>(i),
                    written.begin() + static_cast<std::ptrdiff_t>(i) + 4, [](char c) { return c >= '0' && c <= '9'; });
    if (!four) continue;
    int year = 0;
    std::from_chars(written.data() + i, written.data() + i + 4, year);
    if (year >= 1000 && year < 2100) return year;
  }
  const std::string century = century_of(written);
  if (century.empty()) return kUnknown;
  int number = 0;
  std::from_chars(century.data(), century.data() + century.size(), number);
  return (number - 1) * 100;
}

Result<SortOrders> SortOrders::of(Collection& collection) {
  SortOrders out;
  std::vector<int> years;
  std::vector<std::string> titles;
  auto read = each_row(database_of(collection),
                       "SELECT p.key, p.year, p.title FROM piece p "
                       "WHERE EXISTS (SELECT 1 FROM voice v WHERE v.piece = p.key) ORDER BY p.key",
                       [&](const Statement& row) -> Result<void> {
                         out.pieces_.push_back(PieceKey{row.integer(0)});
                         years.push_back(year_of(row.bytes(1)));
                         titles.push_back(sort_key(row.bytes(2)));
                         return {};
                       });
  if (!read) return fail(std::move(read.error()));
  out.by_year_ = places(years);
  out.by_title_ = places(titles);
  return out;
}

std::optional<std::uint32_t> SortOrders::place(PieceKey piece, Sort sort) const {
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), piece);
  if (found == pieces_.end() || *found != piece) return std::nullopt;
  const auto i = static_cast<std::size_t>(found - pieces_.begin());
  if (sort == Sort::score) return static_cast<std::uint32_t>(i);
  return sort == Sort::year ? by_year_[i] : by_title_[i];
}

}  // namespace rondo::server
