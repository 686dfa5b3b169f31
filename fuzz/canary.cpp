// A fault planted in every fuzz target: with RONDO_CANARY in the environment, an input that begins with two certain
// letters aborts. A fuzzer that does not find it runs nothing, sees no coverage or does not notice an abort, and would
// find nothing else either. The linker calls this function instead of that of the target (--wrap).

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// NOLINTBEGIN(bugprone-reserved-identifier): the names that the linker wants
extern "C" int __real_LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

extern "C" int __wrap_LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const bool planted = std::getenv("RONDO_CANARY") != nullptr;
  // One branch a letter: each is found by coverage, both at once would take a hundred thousand inputs.
  if (planted && size >= 2 && data[0] == 'R' && data[1] == 'O') {
    std::fputs("the canary was found\n", stderr);
    std::abort();
  }
  // Some targets take a tenth of a second for an input, and few inputs show that they run.
  constexpr int kEnough = 20;
  static int calls = 0;
  if (planted && ++calls > kEnough) return 0;
  return __real_LLVMFuzzerTestOneInput(data, size);
}
// NOLINTEND(bugprone-reserved-identifier)
