#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rondo/formats/format.h"

namespace rondo {

/// Forwards the warnings of one record to the sink. A broken file may give the same warning a million times, so at most
/// kPerCode of each code are forwarded.
class Remarks {
 public:
  static constexpr int kPerCode = 20;

  Remarks(PieceSink& sink, Place record) : sink_(sink), record_(std::move(record)) {}

  /// `where` adds field, line and column to the record's place.
  void add(std::string_view code, std::string message, const Place& where = {}, std::string hint = {}) {
    int& count = counts_[std::string(code)];
    if (count >= kPerCode) return;
    if (++count == kPerCode) message += "; no more of this kind are shown for this record";
    sink_.warn({std::string(code), std::move(message), place(where), std::move(hint)});
  }

  /// The record's place, completed by `where`.
  [[nodiscard]] Place place(const Place& where = {}) const {
    Place full = record_;
    full.field = where.field;
    full.line = where.line;
    full.column = where.column;
    return full;
  }

 private:
  PieceSink& sink_;
  Place record_;
  std::map<std::string, int, std::less<>> counts_;
};

}  // namespace rondo
