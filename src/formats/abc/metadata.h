#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/melody/piece.h"

namespace rondo::abc {

/// The information fields (metadata) of a tune or a file, as written.
class Headings {
 public:
  /// True when the letter names such a field.
  static bool knows(char letter);
  void add(char letter, std::string_view text);
  /// "%%rondo-field name text": metadata for which ABC has no field.
  void add_named(std::string_view text);
  /// "%%rondo-exact": only "%%rondo-field" lines count.
  void only_named() { only_named_ = true; }
  /// "+:" and the free lines after H: continue the field before them.
  void extend(std::string_view text);
  [[nodiscard]] bool empty() const { return fields_.empty(); }

  /// Fields missing here are taken from `defaults` (the file's header).
  [[nodiscard]] Metadata metadata(const Headings& defaults) const;

 private:
  [[nodiscard]] bool has(char letter) const;
  std::vector<std::pair<char, std::string>> fields_;
  std::vector<std::pair<std::string, std::string>> named_;
  bool only_named_ = false;
};

inline constexpr std::string_view kFieldDirective = "rondo-field";
inline constexpr std::string_view kExactDirective = "rondo-exact";

/// The lines that `Headings` reads back as this metadata; X: and T: come first. Without parts, because repeats are
/// expanded. If the fields of ABC alone would not survive a round trip (another order, a tune without a number), all
/// metadata follows again in directives, which other programs ignore.
[[nodiscard]] std::string write_headings(const Metadata& metadata);

}  // namespace rondo::abc
