#include "server/library.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "store/sqlite.h"

namespace rondo::server {
namespace {

std::string stamp_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return "-";
  return fmt::format("{} {}.{} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino);
}

/// Keys tell of notes; the clocks of the file and its log tell of texts too. A checkpoint moves them without need,
/// which costs clients one answer that they had.
Result<std::string> version_of(Collection& collection) {
  auto last = collection.database().number("SELECT coalesce(max(key), 0) FROM voice");
  if (!last) return fail(std::move(last.error()));
  const std::string path = collection.path().string();
  const std::string text = fmt::format("{}|{}|{}", *last, stamp_of(path), stamp_of(path + "-wal"));
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

Result<std::shared_ptr<Edition>> make_edition(Collection& collection) {
  auto version = version_of(collection);
  if (!version) return fail(std::move(version.error()));
  return Edition::of(collection, std::move(*version));
}

}  // namespace

Result<std::unique_ptr<Library>> Library::open(Collection& collection) {
  auto first = make_edition(collection);
  if (!first) return fail(std::move(first.error()));
  return std::unique_ptr<Library>(new Library(std::move(*first)));
}

std::shared_ptr<Edition> Library::current(Collection& collection, std::int64_t& data_version) {
  std::int64_t now = data_version;
  if (auto statement = collection.database().query("PRAGMA data_version"); statement) {
    const ResetLater later(**statement);
    if (auto row = (*statement)->step(); row && *row) now = (*statement)->integer(0);
  }
  if (now != data_version && renewing_.try_lock()) {
    const std::lock_guard held(renewing_, std::adopt_lock);
    if (Clock::now() >= not_before_) {
      renew(collection);
      data_version = now;
    }
  }
  const std::lock_guard lock(mutex_);
  return current_;
}

void Library::renew(Collection& collection) {
  const auto start = Clock::now();
  auto version = version_of(collection);
  {
    const std::lock_guard lock(mutex_);
    if (!version || *version == current_->version()) return;
  }
  // An edition that cannot be made now (the file is busy) is made when the next request comes.
  if (auto made = Edition::of(collection, std::move(*version)); made) {
    const std::lock_guard lock(mutex_);
    current_ = std::move(*made);
  }
  constexpr int kPauses = 5;
  not_before_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(2), kPauses * (Clock::now() - start));
}

}  // namespace rondo::server
