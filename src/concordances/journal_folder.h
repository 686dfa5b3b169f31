#pragma once

#include <filesystem>
#include <utility>

#include "rondo/base/result.h"

namespace rondo::concordances {

/// A folder for the journal of a run that nobody continues; removed with all that is in it.
class JournalFolder {
 public:
  [[nodiscard]] static Result<JournalFolder> make();
  ~JournalFolder();
  JournalFolder(JournalFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  JournalFolder& operator=(JournalFolder&&) = delete;
  [[nodiscard]] std::filesystem::path journal() const { return path_ / "journal"; }

 private:
  explicit JournalFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace rondo::concordances
