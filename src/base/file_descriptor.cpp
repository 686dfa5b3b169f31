#include "base/file_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace rondo {

bool FileDescriptor::close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

bool write_all(int file, std::string_view bytes, off_t at) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += written;
  }
  return true;
}

bool sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder, and need not.
  return opened.ok() && (::fsync(opened.number()) == 0 || errno == EINVAL || errno == ENOTSUP);
}

}  // namespace rondo
