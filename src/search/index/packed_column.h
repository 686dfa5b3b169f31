#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace rondo::index {

/// A number for each document in as few bytes as the greatest needs: none (all are 0), one, two or four.
class PackedColumn {
 public:
  PackedColumn() = default;
  /// nullopt: the size of `bytes` does not fit the number of documents.
  [[nodiscard]] static std::optional<PackedColumn> of(std::span<const std::byte> bytes, std::uint32_t documents) {
    for (const std::size_t width : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
      if (bytes.size() != width * documents) continue;
      PackedColumn out;
      out.bytes_ = bytes.data();
      out.width_ = documents == 0 ? 0 : width;
      return out;
    }
    return std::nullopt;
  }
  [[nodiscard]] static std::vector<std::uint8_t> pack(std::span<const std::uint32_t> values) {
    const std::uint32_t most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    const std::size_t width = most == 0 ? 0 : most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : 4;
    std::vector<std::uint8_t> out(values.size() * width);
    if (width == 0) return out;
    // Little-endian: the first bytes of a number are its lowest.
    for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(out.data() + i * width, &values[i], width);
    return out;
  }

  [[nodiscard]] std::uint32_t operator[](std::size_t document) const {
    switch (width_) {
      case 0: return 0;
      case 1: return static_cast<std::uint32_t>(bytes_[document]);
      case 2: return at<std::uint16_t>(document);
      default: return at<std::uint32_t>(document);
    }
  }

 private:
  template <typename T>
  [[nodiscard]] T at(std::size_t document) const {
    T out;
    std::memcpy(&out, bytes_ + document * sizeof(T), sizeof(T));
    return out;
  }
  const std::byte* bytes_ = nullptr;
  std::size_t width_ = 0;
};

}  // namespace rondo::index
