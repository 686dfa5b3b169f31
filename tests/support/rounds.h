#pragma once

namespace rondo::test {

#ifdef RONDO_SANITIZED
inline constexpr int kPatience = 6;
#else
inline constexpr int kPatience = 1;
#endif

/// How often a test tries what chance gives it. Fewer times in the sanitizer build, which is an order slower and looks
/// at the steps; whether the results are right is for the release build to find out. At least once.
template <typename Count>
[[nodiscard]] constexpr Count rounds(Count often) {
  return (often + static_cast<Count>(kPatience - 1)) / static_cast<Count>(kPatience);
}

}  // namespace rondo::test
