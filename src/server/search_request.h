#pragma once

#include <string>
#include <vector>

#include "rondo/search/service.h"
#include "server/facets.h"
#include "server/query.h"
#include "server/target.h"

namespace rondo::server {

/// What an address says of a melody to look for, and how: shared by search, export and compare.
struct AskedMelody {
  SearchRequest request;
  Query typed;  ///< the melody of `q`, with what the reader remarked; empty where `id` was given

  /// Errors: those of the reader, `query-missing`, `argument-both`.
  [[nodiscard]] static Result<AskedMelody> from(const Arguments& arguments);
};
[[nodiscard]] std::vector<std::string_view> asked_arguments();

struct AskedSearch {
  AskedMelody melody;
  Choices choices;
  bool with_views = true;  ///< false: hits are known by their keys alone

  [[nodiscard]] SearchRequest& request() { return melody.request; }
  [[nodiscard]] const SearchRequest& request() const { return melody.request; }
  [[nodiscard]] static Result<AskedSearch> from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k);
};
[[nodiscard]] std::vector<std::string_view> search_arguments();

inline constexpr std::size_t kMostHits = 200;
inline constexpr std::size_t kMostOffset = 10'000;
inline constexpr std::size_t kMostExported = 10'000;

}  // namespace rondo::server
