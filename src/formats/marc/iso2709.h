#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "formats/marc_record.h"

namespace rondo::marc {

/// Parses one record of ISO 2709: leader, directory, fields. Trusts the terminators more than the numbers, because
/// programs that convert the text often do not update the numbers.
class Iso2709Parser {
 public:
  static constexpr char kRecordEnd = 0x1D;
  static constexpr char kFieldEnd = 0x1E;
  static constexpr char kSubfield = 0x1F;

  /// `bytes` ends before the record terminator. Views of the record point into `bytes` or into the parser, until
  /// the next call. Repairs are reported in `remarks`; an error means that this is not a record.
  [[nodiscard]] Result<void> parse(std::string_view bytes, Record& record, Diagnostics& remarks);

 private:
  struct Entry {
    int tag = kOtherTag;
    std::size_t start = 0;
    std::size_t length = 0;
  };
  [[nodiscard]] bool read_directory(std::string_view leader, std::string_view directory);
  [[nodiscard]] bool directory_fits(std::string_view data) const;
  void mend_directory(std::string_view data);
  static void add_field(const Entry& entry, std::string_view data, Record& record);
  void decode(std::string_view bytes, Record& record, Diagnostics& remarks);

  std::vector<Entry> entries_;
  std::deque<std::string> decoded_;
};

/// A number of exactly these digits.
[[nodiscard]] bool read_digits(std::string_view digits, std::size_t& value);

}  // namespace rondo::marc
