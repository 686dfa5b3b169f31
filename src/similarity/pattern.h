#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// The reference in the rows of all pattern systems.
inline constexpr char kPatternReference[] =
    "Exact pattern matching with wildcards, as in other incipit search pages; not a system of an evaluation";
inline constexpr char kPatternNote[] =
    "Our definition: all or nothing; among equal scores, melodies with an earlier occurrence come first.";

/// A query with unknown notes, to be found in a document.
///
/// A document is given by one value for each note: its pitch or, for rhythms, its duration in any unit. An occurrence
/// has every note of the query; between two adjacent ones there are as many notes as the query has unknown ones there,
/// and the compared property (interval, direction, ratio) is the same between each note of the query and the next known
/// one, also across unknown notes.
class Pattern {
 public:
  using Compared = PatternPlan::Compared;
  Pattern(const Line& query, Compared compared);

  /// Minimal number of notes of a document with an occurrence.
  [[nodiscard]] std::size_t least_notes() const { return least_notes_; }
  [[nodiscard]] bool occurs(std::span<const std::int64_t> document) const;
  /// The index in the document of each note of the query, for the earliest occurrence; empty: there is none.
  [[nodiscard]] std::vector<std::uint32_t> find(std::span<const std::int64_t> document) const;

  /// The values of a line, one for each note.
  static void values_of(const Line& line, Compared compared, std::vector<std::int64_t>& out);

 private:
  struct Element {
    std::uint32_t offset = 0;  ///< from the first note of its block
    std::int64_t value = 0;
    bool joined = true;  ///< compared with the element before
  };
  /// Notes at known distances from each other; between two blocks there may be any number of notes.
  struct Block {
    std::vector<Element> elements;
    std::size_t length = 0;    ///< from the first to the last, including unknown notes
    std::size_t distance = 0;  ///< minimal number of unknown notes before it
    bool joined = true;        ///< its first note is compared with the last of the block before
  };

  template <Compared kCompared>
  [[nodiscard]] bool occurs_as(std::span<const std::int64_t> document) const;
  template <Compared kCompared>
  [[nodiscard]] std::vector<std::uint32_t> find_as(std::span<const std::int64_t> document) const;
  template <Compared kCompared>
  [[nodiscard]] bool block_at(const Block& block, std::span<const std::int64_t> document, std::size_t at) const;
  template <Compared kCompared>
  [[nodiscard]] bool follows(std::size_t block, std::int64_t last_value, std::int64_t value) const;
  template <Compared kCompared>
  void starts(std::span<const std::int64_t> document, std::vector<char>& good) const;

  Compared compared_;
  std::vector<Block> blocks_;
  std::size_t behind_ = 0;  ///< unknown notes after the last block
  std::size_t least_notes_ = 0;
};

/// A system that finds the documents in which the query occurs; score 1.
[[nodiscard]] std::unique_ptr<System> make_pattern_system(PatternPlan::Compared compared);

}  // namespace rondo
