#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "base/collection_files.h"

namespace rondo {

std::optional<FileLock> FileLock::of(const std::filesystem::path& file,
                                     std::optional<std::chrono::milliseconds> patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  std::filesystem::path name = file;
  name += kLockFile;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::chrono::milliseconds(100)) {
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return std::nullopt;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      // Whoever held it before took the file away: then this is a lock on nothing, and another may hold the real one.
      struct stat mine {};
      struct stat there {};
      if (::fstat(descriptor, &mine) == 0 && ::stat(name.c_str(), &there) == 0 && mine.st_ino == there.st_ino) {
        return FileLock(descriptor, std::move(name));
      }
    }
    ::close(descriptor);
    if (patience && Clock::now() - began >= *patience) {
      errno = EWOULDBLOCK;
      return std::nullopt;
    }
    std::this_thread::sleep_for(pause);
  }
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  ::unlink(name_.c_str());
  ::close(descriptor_);
}

}  // namespace rondo
