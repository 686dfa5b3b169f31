#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rondo/store/collection.h"
#include "server/json.h"

namespace rondo::server {

inline constexpr std::array<std::string_view, 6> kFacets = {"composer", "key", "time", "clef", "century", "library"};

/// What was chosen of each facet: a piece must have one of the values of every facet that has any.
using Choices = std::array<std::vector<std::string>, kFacets.size()>;

/// The few properties by which pieces are grouped, in columns of small numbers.
class Facets {
 public:
  [[nodiscard]] static Result<Facets> of(Collection& collection);

  /// The pieces that have what was chosen, ascending; nothing: all of them.
  [[nodiscard]] std::optional<std::vector<PieceKey>> chosen(const Choices& choices) const;

  /// How many pieces there are of each value, the most frequent first. Counted are the pieces in `among` (ascending;
  /// nothing: all) that have what was chosen of the *other* facets: so the numbers tell what choosing a value, or one
  /// more value, would bring.
  [[nodiscard]] Json counts(const Choices& choices, const std::optional<std::vector<PieceKey>>& among) const;

 private:
  struct Column {
    std::vector<std::uint32_t> values;  ///< per piece
    std::vector<std::string> names;     ///< per value; 0 is the empty one
    std::unordered_map<std::string, std::uint32_t> numbers;
    void add(const std::string& name);
    [[nodiscard]] std::vector<bool> picked(const std::vector<std::string>& names) const;
  };

  std::vector<PieceKey> pieces_;
  std::array<Column, kFacets.size()> columns_;
};

/// melody/century.h as text; empty where no century can be told.
[[nodiscard]] std::string century_of(std::string_view year);

}  // namespace rondo::server
