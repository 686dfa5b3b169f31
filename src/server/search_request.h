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

/// What an address says of a melody to look for, and how: shared by search, export and compare.
struct AskedMelody {
  SearchRequest request;
  std::optional<QueryReading> typed{};  ///< what `q` was read as; nothing where `id` was given
  Diagnostics warnings{};               ///< of the reader, and of the choice of a system

  /// Errors: those of the reader, `query-missing`, `argument-both`.
  [[nodiscard]] static Result<AskedMelody> from(const Arguments& arguments);
};
[[nodiscard]] std::vector<std::string_view> asked_arguments();

/// The arguments by their own names, where others were given, and with the melody of a link (`m`) in the place of its
/// key, as `q`. Errors `link-unknown`, `argument-both`.
[[nodiscard]] Result<Arguments> resolve_names(const Arguments& arguments, App& app);
/// The arguments in the body of a form or of a JSON object, behind those of the address. Errors `body-type`,
/// `body-not-json`, those of addresses.
[[nodiscard]] Result<Arguments> arguments_of_body(const Call& call);

struct AskedSearch {
  AskedMelody melody;
  Choices choices;
  Sort sort = Sort::score;
  bool words_alone = false;  ///< no melody is looked for
  std::string link{};        ///< key of the melody, where it is kept
  bool with_views = true;    ///< false: hits are known by their keys alone

  [[nodiscard]] SearchRequest& request() { return melody.request; }
  [[nodiscard]] const SearchRequest& request() const { return melody.request; }
  /// Without a melody, words or other conditions must be given: error `query-missing`.
  [[nodiscard]] static Result<AskedSearch> from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k);
};
[[nodiscard]] std::vector<std::string_view> search_arguments();

inline constexpr std::size_t kMostHits = 200;
inline constexpr std::size_t kMostOffset = 10'000'000;  ///< to the end of any list
inline constexpr std::size_t kMostExported = 10'000;

}  // namespace rondo::server
