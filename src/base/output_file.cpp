#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <random>
#include <streambuf>
#include <string>
#include <system_error>

#include "base/collection_files.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

Place place_of(const fs::path& path) { return {path.string(), {}, {}, 0, 0}; }

Failure write_error(const fs::path& path, int reason) {
  return fail(reason == ENOSPC || reason == EDQUOT ? "disk-full" : "write-failed",
              "cannot be written: " + std::generic_category().message(reason), place_of(path),
              "is the folder there and writable, is the disk full?");
}

Failure refused(const fs::path& path, const std::string& what) {
  return fail("output-refused", "this is " + what + ": it is not overwritten", place_of(path),
              "name another file for the output");
}

/// The descriptor that a name such as "-", "/dev/stdout" or "/dev/fd/3" stands for.
std::optional<int> named_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = std::string_view(path).substr(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

/// The file that a name stands for, links followed; it need not exist.
fs::path followed(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code problem;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, problem)); ++i) {
    const fs::path target = fs::read_symlink(path, problem);
    if (problem) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), problem);
  return problem ? path : folder / path.filename();
}

/// Writes to a descriptor; remembers why it could not.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { clear(); }
  [[nodiscard]] int reason() const { return reason_; }

 protected:
  int_type overflow(int_type c) override {
    if (!empty()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override { return empty() ? 0 : -1; }

 private:
  void clear() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  bool empty() {
    const char* at = pbase();
    while (reason_ == 0 && at != pptr()) {
      const ssize_t done = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
      if (done > 0) {
        at += done;
      } else if (done == 0 || errno != EINTR) {
        reason_ = done == 0 ? EIO : errno;
      }
    }
    clear();
    return reason_ == 0;
  }

  int descriptor_;
  int reason_ = 0;
  std::array<char, std::size_t{1} << 16U> bytes_{};
};

}  // namespace

fs::path unused_name_beside(const fs::path& file) {
  std::random_device random;
  constexpr char kHex[] = "0123456789abcdef";
  std::string suffix = std::string(kPartFile) + "-";
  for (int i = 0; i < 8; ++i) suffix += kHex[random() % 16];
  fs::path out = file;
  return out += suffix;
}

struct OutputFile::Inner {
  Inner(fs::path asked, fs::path file, int number, fs::path written)
      : path(std::move(asked)),
        target(std::move(file)),
        part(std::move(written)),
        descriptor(number),
        buffer(number),
        stream(&buffer) {}
  ~Inner() {
    if (descriptor >= 0) ::close(descriptor);
    if (!part.empty()) ::unlink(part.c_str());
  }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

  static Result<std::unique_ptr<Inner>> open(const fs::path& path);
  static Result<std::unique_ptr<Inner>> open_special(const fs::path& path);
  [[nodiscard]] Result<void> commit();
  /// Gives the complete file its name; false: errno says why.
  [[nodiscard]] bool put_in_place();

  fs::path path;    ///< as it was asked for
  fs::path target;  ///< what is replaced; empty for pipes and devices
  fs::path part;    ///< the name until then; empty for a file without a name
  int descriptor;
  DescriptorBuffer buffer;
  std::ostream stream;
};

Result<std::unique_ptr<OutputFile::Inner>> OutputFile::Inner::open_special(const fs::path& path) {
  const auto known = named_descriptor(path.string());
  const int number = known ? ::fcntl(*known, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                           : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (number < 0) return write_error(path, errno);
  return std::make_unique<Inner>(path, fs::path(), number, fs::path());
}

Result<std::unique_ptr<OutputFile::Inner>> OutputFile::Inner::open(const fs::path& path) {
  if (is_special_output(path)) return open_special(path);
  const fs::path target = followed(path);
  fs::path part;
  int number = -1;
#ifdef O_TMPFILE
  // Without a name nothing is left of it, however the process ends. It gets one by way of /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    number = ::open(target.parent_path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
#endif
  if (number < 0) {
    part = unused_name_beside(target);
    number = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0) return write_error(path, errno);
  }
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) (void)::fchmod(number, old.st_mode & 0777U);
  return std::make_unique<Inner>(path, target, number, part);
}

bool OutputFile::Inner::put_in_place() {
  if (part.empty()) {
    const std::string own = "/proc/self/fd/" + std::to_string(descriptor);
    const auto name_it = [&](const fs::path& name) {
      return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (name_it(target)) return true;
    if (errno != EEXIST) return false;
    const fs::path beside = unused_name_beside(target);
    if (!name_it(beside)) return false;
    part = beside;
  }
  if (::rename(part.c_str(), target.c_str()) != 0) return false;
  part.clear();
  return true;
}

Result<void> OutputFile::Inner::commit() {
  stream.flush();
  int reason = buffer.reason();
  const bool file = !target.empty();
  // A name may only stand for bytes that are on the disk.
  if (reason == 0 && file && ::fsync(descriptor) != 0) reason = errno;
  if (reason == 0 && file && !put_in_place()) reason = errno;
  if (::close(std::exchange(descriptor, -1)) != 0 && reason == 0) reason = errno;
  return reason == 0 ? Result<void>() : write_error(path, reason);
}

bool is_special_output(const fs::path& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  return named_descriptor(path.string()) || (fs::exists(status) && !fs::is_regular_file(status));
}

Result<void> check_output(const fs::path& path, std::string_view continued) {
  const fs::path named = path == "-" ? fs::path("/dev/stdout") : path;
  std::error_code problem;
  const fs::file_status status = fs::status(named, problem);
  if (fs::is_directory(status)) {
    return fail("write-failed", "this is a folder", place_of(path), "name a file in it");
  }
  if (fs::is_block_file(status)) return refused(path, "a disk");
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  const fs::path file = followed(named);
  if (const fs::path database = database_of_companion(file); !database.empty()) {
    return refused(path, "a file that belongs to " + database.filename().string());
  }
  if (!fs::exists(status)) return {};
  if (const auto kind = kind_of_content(file); !kind.empty() && kind != continued)
    return refused(path, std::string(kind));
  // What may not be written is not replaced either; what may not be read may be anything.
  if (!named_descriptor(path.string()) && ::access(file.c_str(), R_OK | W_OK) != 0) return write_error(path, errno);
  return {};
}

OutputFile::OutputFile(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

Result<OutputFile> OutputFile::open(const fs::path& path) {
  if (auto fine = check_output(path); !fine) return fail(std::move(fine.error()));
  auto inner = Inner::open(path);
  if (!inner) return fail(std::move(inner.error()));
  return OutputFile(std::move(*inner));
}

std::ostream& OutputFile::stream() { return inner_->stream; }

Result<void> OutputFile::flush() {
  inner_->stream.flush();
  const int reason = inner_->buffer.reason();
  return reason == 0 ? Result<void>() : write_error(inner_->path, reason);
}

Result<void> OutputFile::commit() {
  // Something may have come into being under the name meanwhile.
  if (auto fine = check_output(inner_->path); !fine) return fine;
  return inner_->commit();
}

Result<void> write_output(const fs::path& path, std::string_view bytes) {
  auto file = OutputFile::open(path);
  if (!file) return fail(std::move(file.error()));
  file->stream() << bytes;
  return file->commit();
}

Result<void> replace_companion(const fs::path& path, std::string_view bytes) {
  auto file = OutputFile::Inner::open(path);
  if (!file) return fail(std::move(file.error()));
  (*file)->stream << bytes;
  return (*file)->commit();
}

}  // namespace rondo
