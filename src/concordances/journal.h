#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "concordances/pair_engine.h"

namespace rondo::concordances {

/// What a run has found so far, in a file that is only appended to: a line that says which run it is, then a block for
/// each strip of rows that was decided, closed by a checksum. A process killed at any moment leaves at most one block
/// that is not closed; a crash of the machine may also damage the last ones. When the journal is continued, everything
/// from the first such block on is cut off and computed again.
///
///     rondo-concordances 1 DESCRIPTION
///     strip NUMBER PAIRS DECIDED
///     A B SCORE SCORE            (for each pair)
///     end NUMBER CHECKSUM
struct Journal {
  struct Strip {
    std::uint32_t number = 0;
    std::uint64_t decided = 0;  ///< pairs
    std::vector<UnitPair> pairs;
  };
  std::string description;
  std::vector<Strip> strips;
  std::uint64_t bytes = 0;  ///< up to the end of the last closed block
  bool damaged = false;     ///< what follows is not just a block that is not closed

  /// Error `journal-unreadable`, also where it is no journal.
  [[nodiscard]] static Result<Journal> read(const std::filesystem::path& path);
  /// The same of its text; errors name the path.
  [[nodiscard]] static Result<Journal> parse(std::string_view text, const std::filesystem::path& path);
};

/// The first line of a journal.
[[nodiscard]] std::string journal_head(std::string_view description);
/// A closed block.
[[nodiscard]] std::string block_text(const Journal::Strip& strip);

/// Appends to a journal.
class JournalWriter {
 public:
  /// Begins a journal, or continues one behind its first `bytes`.
  [[nodiscard]] Result<void> begin(const std::filesystem::path& path, const std::string& description,
                                   std::uint64_t bytes);
  [[nodiscard]] Result<void> append(const Journal::Strip& strip);
  /// Everything is on the disk.
  [[nodiscard]] Result<void> close();

 private:
  [[nodiscard]] Error problem() const;
  [[nodiscard]] Result<void> write(std::string_view text);
  std::filesystem::path path_;
  FileDescriptor file_;
  off_t end_ = 0;
};

}  // namespace rondo::concordances
