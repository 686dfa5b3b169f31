#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/store/collection.h"

namespace rondo::server {

enum class Sort : std::uint8_t { score, year, title };
/// Error `argument-sort`.
[[nodiscard]] Result<Sort> sort_of(std::string_view name);
[[nodiscard]] std::string_view to_string(Sort sort);

/// The positions of all pieces with notes in lists by year (unknown ones last) and by title (without one last).
class SortOrders {
 public:
  [[nodiscard]] static Result<SortOrders> of(Collection& collection);
  /// 0 for the first; nullopt for pieces without notes.
  [[nodiscard]] std::optional<std::uint32_t> place(PieceKey piece, Sort sort) const;
  [[nodiscard]] std::span<const PieceKey> pieces() const { return pieces_; }

 private:
  std::vector<PieceKey> pieces_;  ///< ascending
  std::vector<std::uint32_t> by_year_;
  std::vector<std::uint32_t> by_title_;
};

/// 1750 for "ca. 1750", 1700 for "17.." and "18th century"; 9999 if the year is unknown.
[[nodiscard]] int year_of(std::string_view written);

}  // namespace rondo::server
