#pragma once

namespace rondo::test {

/// Whether every step is checked and takes so long that tests do with fewer and smaller examples.
#ifdef RONDO_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
inline constexpr int kPatience = kSanitized ? 6 : 1;

/// How often a test tries what chance gives it. Fewer times in the sanitizer build, which is an order slower and looks
/// at the steps; whether the results are right is for the release build to find out. At least once.
template <typename Count>
[[nodiscard]] constexpr Count rounds(Count often) {
  return (often + static_cast<Count>(kPatience - 1)) / static_cast<Count>(kPatience);
}

}  // namespace rondo::test
