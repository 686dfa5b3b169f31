#pragma once

#include <cstdint>
#include <string>

#include "formats/abc/signs.h"
#include "rondo/formats/format.h"

namespace rondo::abc {

/// Collects the warnings about one tune, at most kMost.
class Report {
 public:
  Report(PieceSink& sink, std::string file, std::string record)
      : sink_(sink), file_(std::move(file)), record_(std::move(record)) {}

  void warn(std::string code, std::string message, std::uint32_t line, std::uint32_t column, std::string hint = {}) {
    constexpr int kMost = 50;
    if (++count_ > kMost) return;
    if (count_ == kMost) {
      code = "abc-more-warnings";
      message = "this tune has more warnings than are listed";
      hint = "is it ABC at all?";
    }
    sink_.warn(Diagnostic{std::move(code), std::move(message), place(line, column), std::move(hint)});
  }
  void warn(Oddities&& odd, std::uint32_t line, std::uint32_t column) {
    for (Oddity& one : odd) warn(std::move(one.code), std::move(one.message), line, column);
  }
  [[nodiscard]] Place place(std::uint32_t line, std::uint32_t column) const {
    return {file_, record_, {}, line, column};
  }

 private:
  PieceSink& sink_;
  std::string file_;
  std::string record_;
  int count_ = 0;
};

}  // namespace rondo::abc
