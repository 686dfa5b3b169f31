#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/fraction.h"

namespace rondo::kern {

/// A column of the current line: a spine, or a branch of one that was split.
struct Strand {
  static constexpr std::int32_t kNoVoice = -1;

  std::uint32_t id = 0;
  std::int32_t voice = kNoVoice;  ///< kNoVoice: not **kern, tracked but not read
  bool waits_for_kind = false;    ///< added by *+, its ** comes on the next line
  bool used = false;              ///< has had a note or rest
  Fraction at;                    ///< where its last note or rest ends
  Fraction last_duration{1, 4};
};

/// Tracks the columns through all spine paths.
class Spines {
 public:
  static constexpr std::size_t kMost = 1024;

  [[nodiscard]] std::vector<Strand>& strands() { return strands_; }
  [[nodiscard]] const std::vector<Strand>& strands() const { return strands_; }

  /// A new column at the right end.
  Strand& add(Fraction at);

  /// True for *^ *v *x *+ *-.
  [[nodiscard]] static bool is_path_token(std::string_view token);

  /// Applies a line with such tokens. Adjacent columns that join keep the identity of the leftmost and the latest time;
  /// only branches of one spine join. Returns a warning, or an empty text. Error: `kern-too-many-spines`.
  [[nodiscard]] Result<std::string_view> apply(const std::vector<std::string_view>& tokens, Fraction now);

 private:
  [[nodiscard]] Strand fresh(Fraction at);

  std::vector<Strand> strands_;
  std::uint32_t next_id_ = 0;
};

}  // namespace rondo::kern
