#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo::cli {

/// A file that a command writes. It appears under its name, in place of an older one, when it is complete: a command
/// that is killed, or a disk that is full, leaves the old one as it was. Pipes and devices are written directly.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Removes what was written and not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return out_; }
  /// Error `write-failed`.
  [[nodiscard]] Result<void> commit();

 private:
  std::string path_;
  std::string written_;  ///< the name until it is complete; `path_` itself for pipes and devices
  std::ofstream out_;
  int reason_ = 0;  ///< errno of opening
  bool committed_ = false;
};

/// The whole content at once.
[[nodiscard]] Result<void> write_output(const std::string& path, std::string_view bytes);

}  // namespace rondo::cli
