#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rondo/formats/format.h"

namespace rondo {

/// Warnings of one record on their way to the sink. A broken file says the same thing a million times; a person
/// reads the first few, so no more than kPerCode of each code are passed on.
class Remarks {
 public:
  static constexpr int kPerCode = 20;

  Remarks(PieceSink& sink, Place record) : sink_(sink), record_(std::move(record)) {}

  /// `where` adds what it knows (field, line, column) to the record's place.
  void add(std::string_view code, std::string message, const Place& where = {}, std::string hint = {}) {
    int& count = counts_[std::string(code)];
    if (count >= kPerCode) return;
    if (++count == kPerCode) message += "; no more of this kind are shown for this record";
    sink_.warn({std::string(code), std::move(message), place(where), std::move(hint)});
  }

  /// The record's place with what `where` knows.
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
