#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/similarity/system.h"

namespace rondo::server {

/// A number of its own for each way to hear a melody.
[[nodiscard]] inline std::size_t hearing_key(const LineOptions& line) {
  return std::size_t{line.opening} * 8 + (line.graces ? 4U : 0U) + (line.ignore_repeated ? 2U : 0U) +
         (line.fold_octaves ? 1U : 0U);
}

/// For each note of the line made from a voice the notes of the voice that it stands for, by their index.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> sources_of(const Voice& voice, const LineOptions& options);

/// The notes of two voices that a system held to be alike, by their index in the voice, ascending.
struct Matched {
  std::vector<std::uint32_t> query;
  std::vector<std::uint32_t> document;
};
[[nodiscard]] Matched matched_notes(const Explanation& why, const Voice& query, const LineOptions& query_line,
                                    const Voice& document, const LineOptions& line);

}  // namespace rondo::server
