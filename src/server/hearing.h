#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "rondo/similarity/line.h"
#include "rondo/similarity/system.h"

namespace rondo::server {

/// How melodies are heard in a search: the switches of the page.
struct Hearing {
  LineOptions line;
  /// Only so many notes from the beginning of each melody; 0: all.
  std::size_t beginning = 0;

  [[nodiscard]] Line operator()(const Voice& voice) const;
  [[nodiscard]] bool is_standard() const { return key() == 0; }
  /// A number of its own for each way.
  [[nodiscard]] std::size_t key() const {
    return beginning * 8 + (line.graces ? 4U : 0U) + (line.ignore_repeated ? 2U : 0U) + (line.fold_octaves ? 1U : 0U);
  }
};

/// For each note of the line made from a voice the notes of the voice that it stands for, by their index.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> sources_of(const Voice& voice, const Hearing& hearing);

/// The notes of two voices that a system held to be alike, by their index in the voice, ascending.
struct Matched {
  std::vector<std::uint32_t> query;
  std::vector<std::uint32_t> document;
};
[[nodiscard]] Matched matched_notes(const Explanation& why, const Voice& query, const Hearing& query_hearing,
                                    const Voice& document, const Hearing& hearing);

}  // namespace rondo::server
