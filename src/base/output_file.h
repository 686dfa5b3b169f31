#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo {

/// Whether an output may be written under this name: error `output-refused` if that would destroy a collection, a file
/// that belongs to one, or another database; by whatever name, and whether or not the file exists yet. `write-failed`
/// if it is a folder or write-protected. Call it before hours of work; OutputFile itself asks again. A file whose
/// kind_of_content is `continued` is all right: the output will be appended to it.
[[nodiscard]] Result<void> check_output(const std::filesystem::path& path, std::string_view continued = {});

/// Whether the name stands for a pipe, a device or standard output: nothing can lie beside it, and it is not replaced.
[[nodiscard]] bool is_special_output(const std::filesystem::path& path);

/// A file that somebody asked for by its name: every output of the library and of the commands. It appears under its
/// name, in place of an older one, when it is complete. If the process fails or is killed before, the older one is as
/// it was, and nothing else is left (only where the file system knows no files without a name, a kill leaves one called
/// as unused_name_beside says). Where the name is a link, what it points to is replaced. Pipes and devices are written
/// directly; "-" is standard output.
class OutputFile {
 public:
  /// Errors: those of check_output, `write-failed`, `disk-full`.
  [[nodiscard]] static Result<OutputFile> open(const std::filesystem::path& path);
  /// Discards what was not committed.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  [[nodiscard]] std::ostream& stream();
  /// What has been written so far has arrived: an error says so as early as possible.
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] Result<void> commit();

 private:
  friend Result<void> replace_companion(const std::filesystem::path& path, std::string_view bytes);
  struct Inner;
  explicit OutputFile(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

/// A name beside a file that no other has, for what will replace it: the file's with ".part-" and eight digits.
[[nodiscard]] std::filesystem::path unused_name_beside(const std::filesystem::path& file);

/// The whole content at once.
[[nodiscard]] Result<void> write_output(const std::filesystem::path& path, std::string_view bytes);

/// The same for a file that Rondo itself keeps beside a collection, whose name nobody chose.
[[nodiscard]] Result<void> replace_companion(const std::filesystem::path& path, std::string_view bytes);

}  // namespace rondo
