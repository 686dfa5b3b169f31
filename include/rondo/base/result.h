#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "rondo/base/diagnostic.h"

namespace rondo {

/// What went wrong when input, disk or network fail. The same shape as a warning: code, message, place, hint.
using Error = Diagnostic;

/// The value, or why there is none. Never thrown: exceptions are for bugs.
template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string code, std::string message, Place place = {},
                                                std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(code), std::move(message), std::move(place), std::move(hint)});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace rondo
