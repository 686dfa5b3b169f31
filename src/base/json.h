#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "rondo/base/result.h"

/// The only way in which the program reads JSON that it did not make itself: a document takes up to fifty times as much
/// memory as its text, and a deep one also the stack, so both are limited before anything is built.
namespace rondo {

struct JsonLimits {
  std::size_t depth = 64;          ///< nesting of arrays and objects
  std::size_t values = 1'000'000;  ///< of all arrays and objects together, each counted; about 100 bytes each
};

/// Of files whose format may be long: studies, truths, journals.
inline constexpr JsonLimits kLargeJson{64, 8'000'000};

/// Linear in the text, without memory of its own. Says nothing about the syntax. Errors `json-nesting`, `json-values`.
[[nodiscard]] Result<void> check_json(std::string_view text, const JsonLimits& limits = {});

/// Errors `json-syntax` and those of `check_json`, with line and column. Text that is not UTF-8 is an error, too.
/// `Json` is nlohmann::json or nlohmann::ordered_json. The callback is the library's.
template <typename Json = nlohmann::json>
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {},
                                      const typename Json::parser_callback_t& watch = nullptr);

/// The same for data that is as good as absent if it cannot be read: null then.
template <typename Json = nlohmann::json>
[[nodiscard]] Json json_or_null(std::string_view text, const JsonLimits& limits = {}) {
  auto json = parse_json<Json>(text, limits);
  return json ? std::move(*json) : Json(nullptr);
}

/// The same error as one of another format: the code has this prefix in place of "json".
[[nodiscard]] Error json_error(Error error, std::string_view prefix);

}  // namespace rondo
