#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo::pae {

/// Collects the warnings about one incipit; their number is limited.
class Remarks {
 public:
  explicit Remarks(Diagnostics& out) : out_(out) {}

  /// `column` counts from 1 within `field`; 0: the field as a whole.
  void warn(std::string_view code, std::string message, std::string_view field, std::size_t column,
            std::string_view hint = {}) {
    if (count_ > kMost) return;
    Diagnostic remark;
    remark.place.field = field;
    remark.place.column = static_cast<std::uint32_t>(column);
    remark.code = count_ == kMost ? std::string_view("pae-more-warnings") : code;
    remark.message = count_ == kMost ? std::string("there is more like this; it is not listed") : std::move(message);
    remark.hint = hint;
    ++count_;
    out_.push_back(std::move(remark));
  }

 private:
  static constexpr std::size_t kMost = 50;

  Diagnostics& out_;
  std::size_t count_ = 0;
};

}  // namespace rondo::pae
