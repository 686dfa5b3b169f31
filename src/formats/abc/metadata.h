#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/melody/piece.h"

namespace rondo::abc {

/// The information fields of a tune or a file that say something about it, as written.
class Headings {
 public:
  /// True when the letter names such a field.
  static bool knows(char letter);
  void add(char letter, std::string_view text);
  /// What "%%rondo-field name text" says: metadata that ABC has no field for.
  void add_named(std::string_view text);
  /// "%%rondo-exact": only what "%%rondo-field" says counts.
  void only_named() { only_named_ = true; }
  /// "+:" and the free lines after H: go on with the field before them.
  void extend(std::string_view text);
  [[nodiscard]] bool empty() const { return fields_.empty(); }

  /// `defaults` (the file's header) speak where this has no field of that letter.
  [[nodiscard]] Metadata metadata(const Headings& defaults) const;

 private:
  [[nodiscard]] bool has(char letter) const;
  std::vector<std::pair<char, std::string>> fields_;
  std::vector<std::pair<std::string, std::string>> named_;
  bool only_named_ = false;
};

inline constexpr std::string_view kFieldDirective = "rondo-field";
inline constexpr std::string_view kExactDirective = "rondo-exact";

/// The lines that `Headings` reads back as this metadata; X: and T: come first. No parts: what we write is played out.
/// Where the fields of ABC alone would not read back the same (another order, a tune without a number), the whole
/// follows once more in directives, which other programs pass over.
[[nodiscard]] std::string write_headings(const Metadata& metadata);

}  // namespace rondo::abc
