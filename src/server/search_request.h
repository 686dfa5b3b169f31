#pragma once

#include <string>
#include <vector>

#include "rondo/search/service.h"
#include "server/facets.h"
#include "server/query.h"
#include "server/router.h"
#include "server/sort_orders.h"
#include "server/target.h"

namespace rondo::server {

class App;

/// The melody query of a URL: shared by search, export and compare.
struct AskedMelody {
  SearchRequest request;
  std::optional<QueryReading> typed{};  ///< the interpretation of `q`; nullopt if `id` was given
  Diagnostics warnings{};               ///< from the reader, and from the choice of a system

  /// Errors: those of the reader, `query-missing`, `argument-both`.
  [[nodiscard]] static Result<AskedMelody> from(const Arguments& arguments);
};
[[nodiscard]] std::vector<std::string_view> asked_arguments();

/// Replaces alternative parameter names by the standard ones, and the key of a link (`m`) by its melody, as `q`. Errors
/// `link-unknown`, `argument-both`.
[[nodiscard]] Result<Arguments> resolve_names(const Arguments& arguments, App& app);
/// The parameters of the URL, followed by those in the body (a form or a JSON object). Errors `body-type`,
/// `body-not-json`, those of URLs.
[[nodiscard]] Result<Arguments> arguments_of_body(const Call& call);

struct AskedSearch {
  AskedMelody melody;
  Choices choices;
  Sort sort = Sort::score;
  bool words_alone = false;  ///< there is no melody query
  std::string link{};        ///< key of the melody, if stored
  bool with_views = true;    ///< false: hits have only their keys

  [[nodiscard]] SearchRequest& request() { return melody.request; }
  [[nodiscard]] const SearchRequest& request() const { return melody.request; }
  /// Error `query-missing` if there is neither a melody nor words or other conditions.
  [[nodiscard]] static Result<AskedSearch> from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k);
};
[[nodiscard]] std::vector<std::string_view> search_arguments();
/// Those that may be given more than once.
[[nodiscard]] std::vector<std::string_view> list_arguments();

inline constexpr std::size_t kMostHits = 200;
inline constexpr std::size_t kMostOffset = 10'000'000;  ///< to the end of any list
inline constexpr std::size_t kMostExported = 10'000;

}  // namespace rondo::server
