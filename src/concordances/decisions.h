#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/base/result.h"

namespace rondo::concordances {

/// What an editor says about two melodies.
enum class Verdict : std::uint8_t {
  open,      ///< nothing, or no longer anything
  accepted,  ///< they are the same tune
  rejected,  ///< they are not
};
[[nodiscard]] std::string_view to_string(Verdict verdict);
/// Error `decision-unknown`.
[[nodiscard]] Result<Verdict> verdict_of(std::string_view text);

/// A melody by its names, which stay the same when a collection is imported anew.
struct MelodyName {
  std::string id;           ///< of the piece
  std::uint32_t voice = 0;  ///< from 0
  friend auto operator<=>(const MelodyName&, const MelodyName&) = default;
};

struct Decision {
  MelodyName a;
  MelodyName b;  ///< a < b
  Verdict verdict = Verdict::open;
  std::string note;
  std::string at;  ///< UTC
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// The decisions of a collection's editors, in a file beside it ("music.db.decisions"): one line for each, which is
/// only appended to, each with its checksum. The last line about two melodies counts. What `decide` has answered is on
/// the disk. A line that was cut off (the machine lost power) was never acknowledged and is dropped; any other damage
/// is an error.
class Decisions {
 public:
  inline static constexpr std::size_t kLongestNote = 4000;  ///< bytes

  [[nodiscard]] static std::filesystem::path path_for(const std::filesystem::path& collection);
  /// Without a file there are none. Errors: `decisions-damaged`, `decisions-unreadable`.
  [[nodiscard]] static Result<Decisions> open(const std::filesystem::path& path);
  /// Of the text of a file; `path` is for errors.
  [[nodiscard]] static Result<Decisions> parse(std::string_view text, const std::filesystem::path& path);

  /// The order of the two melodies does not matter; `at` is filled in where it is empty. Errors: `decision-melodies`
  /// (twice the same), `decision-note` (too long), `write-failed`, `disk-full`, those of `open`, for what others have
  /// written meanwhile is read first.
  [[nodiscard]] Result<void> decide(Decision decision);

  /// Null: nothing was decided, or it was taken back.
  [[nodiscard]] const Decision* find(const MelodyName& one, const MelodyName& other) const;
  /// All that count, in the order of their melodies.
  [[nodiscard]] std::vector<Decision> all() const;
  /// Of the file that was read: up to its last whole line.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::filesystem::path path_;
  std::map<std::pair<MelodyName, MelodyName>, Decision> by_pair_;
  std::uint64_t bytes_ = 0;
};

/// One line of the file.
[[nodiscard]] std::string decision_line(const Decision& decision);

}  // namespace rondo::concordances
