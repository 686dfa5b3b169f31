#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace rondo::cli {
namespace {

namespace fs = std::filesystem;

/// A link stays a link: what it points to is replaced.
std::string followed(const std::string& path) {
  std::error_code problem;
  if (!fs::is_symlink(path, problem)) return path;
  const fs::path target = fs::weakly_canonical(path, problem);
  return problem ? path : target.string();
}

bool is_replaced(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  return !fs::exists(status) || fs::is_regular_file(status);
}

/// A name may only stand for bytes that are on the disk.
bool sync_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  errno = reason;
  return done;
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : path_(followed(path)), written_(is_replaced(path_) ? path_ + ".part" : path_) {
  errno = 0;
  out_.open(written_, std::ios::binary);
  if (!out_) reason_ = errno;
}

OutputFile::~OutputFile() {
  if (committed_ || written_ == path_ || reason_ != 0) return;
  out_.close();
  std::error_code ignored;
  fs::remove(written_, ignored);
}

Result<void> OutputFile::commit() {
  errno = reason_;
  out_.close();
  bool done = !out_.fail();
  if (done && written_ != path_) {
    done = sync_to_disk(written_) && ::rename(written_.c_str(), path_.c_str()) == 0;
  }
  if (!done) {
    return fail("write-failed", fmt::format("cannot be written: {}", std::strerror(reason_ != 0 ? reason_ : errno)),
                Place{path_, {}, {}, 0, 0}, "is the folder there and writable, is the disk full?");
  }
  committed_ = true;
  return {};
}

Result<void> write_output(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.stream() << bytes;
  return file.commit();
}

}  // namespace rondo::cli
