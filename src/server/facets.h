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

/// The selected values of each facet: a piece must have one of the selected values of every facet that has any.
using Choices = std::array<std::vector<std::string>, kFacets.size()>;

/// The facets of all pieces, in columns of small integers.
class Facets {
 public:
  [[nodiscard]] static Result<Facets> of(Collection& collection);

  /// The pieces that match the selection, ascending; nullopt: all.
  [[nodiscard]] std::optional<std::vector<PieceKey>> chosen(const Choices& choices) const;

  /// The number of pieces of each value, the most frequent first. Counts the pieces in `among` (ascending; nullopt:
  /// all) that match the selections of the *other* facets, so the numbers show the effect of selecting a value, or one
  /// more.
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

/// The century (melody/century.h) as text: "18" for "ca. 1750"; empty if it is unknown.
[[nodiscard]] std::string century_of(std::string_view year);

}  // namespace rondo::server
