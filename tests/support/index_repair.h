#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "search/index/layout.h"

/// Makes the checksums of an index right after its bytes were changed: what a deceiver does.
namespace rondo::test {

inline void repair_segment(char* bytes, std::size_t size) {
  index::SegmentHeader header{};
  if (size < sizeof header) return;
  std::memcpy(&header, bytes, sizeof header);
  std::size_t at = sizeof header;
  for (std::uint32_t i = 0; i < header.sections && i < 64 && at + sizeof(index::Section) <= size; ++i) {
    index::Section section{};
    std::memcpy(&section, bytes + at, sizeof section);
    if (section.offset <= size && section.length <= size - section.offset) {
      section.checksum = XXH3_64bits(bytes + section.offset, section.length);
      std::memcpy(bytes + at, &section, sizeof section);
    }
    at += sizeof section;
  }
}

/// A whole file: segments, the table of contents, the superblocks. See docs/index-format.md.
inline void repair_index(std::string& file) {
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    if (at + 8 <= file.size()) std::memcpy(&value, file.data() + at, 8);
    return value;
  };
  const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(file.data() + at, &value, 8); };
  for (const std::size_t block : {std::size_t{0}, std::size_t{4096}}) {
    if (file.size() < block + 56 || file.compare(block, 8, "RONDOIDX") != 0) continue;
    const std::uint64_t offset = word(block + 24);
    const std::uint64_t length = word(block + 32);
    if (offset <= file.size() && length <= file.size() - offset) {
      std::vector<std::uint64_t> heads;
      std::size_t at = offset + 32 + 16 * std::min<std::uint64_t>(word(offset + 16), 64);
      for (std::uint64_t part = 0; part < std::min<std::uint64_t>(word(offset + 24), 16); ++part) {
        const std::uint64_t begin = word(at);
        const std::uint64_t size = word(at + 8);
        heads.push_back(0);
        if (begin <= file.size() && size <= file.size() - begin) {
          repair_segment(file.data() + begin, size);
          heads.back() = XXH3_64bits(file.data() + begin, std::min<std::uint64_t>(size, 4096));
        }
        at += 24 + 8 * std::min<std::uint64_t>(word(at + 16), 1000);
      }
      if (at + 8 * heads.size() == offset + length) {
        for (const std::uint64_t head : heads) {
          put(at, head);
          at += 8;
        }
      }
      put(block + 40, XXH3_64bits(file.data() + offset, length));
    }
    put(block + 48, XXH3_64bits(file.data() + block, 48));
  }
}

}  // namespace rondo::test
