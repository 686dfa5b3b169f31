#pragma once

#include <cstddef>
#include <functional>

#include "rondo/store/collection.h"

namespace rondo::concordances {

/// read(first, second, i) for each i below `count`, on several threads, each with connections of its own to the one or
/// two collections; `second` may be null. Where no other connection can be opened, one thread does it. Errors: of those
/// of `read` the one with the lowest i.
[[nodiscard]] Result<void> read_each(
    Collection& first, Collection* second, std::size_t count, unsigned threads,
    const std::function<Result<void>(Collection& first, Collection* second, std::size_t i)>& read);

}  // namespace rondo::concordances
