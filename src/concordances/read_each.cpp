#include "concordances/read_each.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace rondo::concordances {
namespace {

/// Connections of one thread.
struct OwnConnections {
  std::optional<Collection> first;
  std::optional<Collection> second;

  /// False: they cannot be opened.
  [[nodiscard]] bool open(const Collection& like_first, const Collection* like_second) {
    const auto same = [](const Collection& like, std::optional<Collection>& own) {
      auto opened = Collection::open(like.path(), OpenMode::read);
      if (opened) own.emplace(std::move(*opened));
      return own.has_value();
    };
    return same(like_first, first) && (like_second == nullptr || same(*like_second, second));
  }
};

}  // namespace

Result<void> read_each(Collection& first, Collection* second, std::size_t count, unsigned threads,
                       const std::function<Result<void>(Collection& first, Collection* second, std::size_t i)>& read) {
  constexpr std::size_t kAtOnce = 256;
  // For fewer, a connection costs more than it brings.
  constexpr std::size_t kWorthConnection = 4 * kAtOnce;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // of the next two
  std::size_t failed_at = count;
  std::optional<Error> failure;
  const auto work = [&](Collection& own_first, Collection* own_second) {
    // To take one for each read would cost as much as the read; where it cannot be had, each read has its own.
    const auto whole_first = own_first.snapshot();
    const auto whole_second = own_second == nullptr ? own_first.snapshot() : own_second->snapshot();
    for (std::size_t begin = next.fetch_add(kAtOnce); begin < count; begin = next.fetch_add(kAtOnce)) {
      for (std::size_t i = begin; i < std::min(count, begin + kAtOnce); ++i) {
        auto done = read(own_first, own_second, i);
        if (done) continue;
        next = count;
        const std::lock_guard lock(mutex);
        if (i < failed_at) {
          failed_at = i;
          failure = std::move(done.error());
        }
        return;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, count / kWorthConnection + 1); ++t) {
      others.emplace_back([&] {
        OwnConnections own;
        if (own.open(first, second)) work(*own.first, own.second ? &*own.second : nullptr);
      });
    }
    work(first, second);
  }
  if (failure) return fail(std::move(*failure));
  return {};
}

}  // namespace rondo::concordances
