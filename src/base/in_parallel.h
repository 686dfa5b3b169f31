#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace rondo {

/// work(begin, end) over pieces of [0, count), by whichever thread is free; returns when all are done.
template <typename Work>
void in_parallel(std::size_t count, std::size_t piece, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t begin = next.fetch_add(piece); begin < count; begin = next.fetch_add(piece)) {
      work(begin, std::min(count, begin + piece));
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < std::min<std::size_t>(threads, (count + piece - 1) / piece); ++t) {
    others.emplace_back(run);
  }
  run();
  others.clear();  // waits for them
}

}  // namespace rondo
