#include "formats/open/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace rondo::open {
namespace {

/// A pipe opened by a shell, as in `rondo import <(zcat a.gz)`: it has a writer, so reading it terminates.
bool names_open_pipe(const std::string& path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

}  // namespace

Error system_error(int number, const std::string& name) {
  Place place;
  place.file = name;
  const bool missing = number == ENOENT || number == ENOTDIR;
  return {missing ? "file-not-found" : "file-unreadable", std::generic_category().message(number), std::move(place),
          missing ? "is the path right?" : ""};
}

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path, Progress progress) {
  // Without O_NONBLOCK, opening a pipe without a writer would block forever.
  const int block = names_open_pipe(path) ? 0 : O_NONBLOCK;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | block);
  if (descriptor < 0) return fail(system_error(errno, path));
  std::unique_ptr<FileSource> source(new FileSource(descriptor, true, std::move(progress)));
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return fail(system_error(errno, path));
  const bool fine = S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && block == 0);
  if (!fine) {
    Place place;
    place.file = path;
    return fail("not-a-file", "this is a pipe, device or socket, not a file", std::move(place),
                "use - to read from standard input");
  }
  return source;
}

std::unique_ptr<FileSource> FileSource::borrow(int descriptor, Progress progress) {
  return std::unique_ptr<FileSource>(new FileSource(descriptor, false, std::move(progress)));
}

FileSource::~FileSource() {
  if (owned_) ::close(descriptor_);
}

Result<std::size_t> FileSource::read(std::span<char> into) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, into.data(), into.size());
    if (got >= 0) {
      if (progress_) progress_(static_cast<std::uint64_t>(got));
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) return fail(system_error(errno, {}));
  }
}

std::int64_t FileSource::seek(std::int64_t offset, int whence) {
  return owned_ ? ::lseek(descriptor_, offset, whence) : -1;
}

std::string FileSource::head(std::size_t size) const {
  std::string bytes(size, '\0');
  const ssize_t got = ::pread(descriptor_, bytes.data(), size, 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

}  // namespace rondo::open
