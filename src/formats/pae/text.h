#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/pae/remarks.h"

namespace rondo::pae {

/// The input of the parser: the given text or, if that has HTML entities or typographic quotes (or is a typed query), a
/// copy in plain PAE, with a mapping to the columns of the original.
class NotationText {
 public:
  /// `data` must outlive the use of `view`.
  void set(std::string_view data, bool liberal, Remarks& remarks);

  [[nodiscard]] std::string_view view() const { return view_; }
  /// Column in the original, from 1.
  [[nodiscard]] std::size_t column(std::size_t position) const {
    return 1 + (origin_.empty() ? position : position < origin_.size() ? origin_[position] : original_size_);
  }
  /// Some sign that only version 2 has: _ > y p u.
  [[nodiscard]] bool version_2_signs() const { return version_2_signs_; }

 private:
  void decode(std::string_view data, Remarks& remarks);
  void make_liberal(Remarks& remarks);
  void look();

  std::string_view view_;
  std::string buffer_;
  std::string spare_;
  std::vector<std::uint32_t> origin_;
  std::vector<std::uint32_t> spare_origin_;
  std::size_t original_size_ = 0;
  bool version_2_signs_ = false;
  bool needs_decoding_ = false;
};

}  // namespace rondo::pae
