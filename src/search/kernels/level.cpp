#include "search/kernels/level.h"

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace rondo::kernels {
namespace {

struct Level {
  std::string_view name;
  std::int64_t target;
};
constexpr Level kLevels[] = {{"ssse3", HWY_SSSE3}, {"sse4", HWY_SSE4}, {"avx2", HWY_AVX2}, {"avx512", HWY_AVX3}};

std::atomic<bool> plain{false};

/// What the environment asks for, heeded once, at the first use.
bool heed_environment() {
  // Nothing writes to the environment while Rondo runs.
  const char* wanted = std::getenv("RONDO_SIMD");  // NOLINT(concurrency-mt-unsafe)
  return wanted != nullptr && use_level(wanted);
}

}  // namespace

std::vector<std::string_view> levels() {
  std::vector<std::string_view> out = {"plain"};
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t at_hand = hwy::SupportedTargets() & HWY_TARGETS;
  for (const Level& level : kLevels) {
    if ((at_hand & level.target) != 0) out.push_back(level.name);
  }
  return out;
}

bool use_level(std::string_view name) {
  const auto known = levels();  // also takes back what was forced before
  const bool there = name == "best" || std::find(known.begin(), known.end(), name) != known.end();
  plain = name == "plain";
  for (const Level& level : kLevels) {
    if (there && level.name == name) hwy::SetSupportedTargetsForTest(level.target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return there;
}

bool plain_forced() {
  static const bool heeded = heed_environment();
  (void)heeded;
  return plain;
}

}  // namespace rondo::kernels
