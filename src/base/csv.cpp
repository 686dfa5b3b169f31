#include "base/csv.h"

#include <algorithm>

namespace rondo {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  Result<std::vector<CsvRecord>> read() {
    std::vector<CsvRecord> records;
    while (!rest_.empty()) {
      CsvRecord record;
      record.line = line_;
      if (auto done = read_record(record); !done) return fail(std::move(done.error()));
      const bool blank = record.cells.size() == 1 && record.cells.front().empty();
      if (!blank) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  Result<void> read_record(CsvRecord& record) {
    for (;;) {
      std::string cell;
      if (rest_.starts_with('"')) {
        if (auto done = read_quoted(cell); !done) return done;
      } else {
        const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
        cell = rest_.substr(0, end);
        rest_.remove_prefix(end);
      }
      record.cells.push_back(std::move(cell));
      if (!rest_.starts_with(',')) break;
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return {};
    if (rest_.front() != '\r' && rest_.front() != '\n') return wrong("something follows the end of a quoted cell");
    end_line();
    return {};
  }

  Result<void> read_quoted(std::string& cell) {
    const std::uint32_t begin = line_;
    rest_.remove_prefix(1);
    for (;;) {
      if (rest_.empty()) {
        line_ = begin;
        return wrong("a quoted cell does not end");
      }
      if (rest_.starts_with("\"\"")) {
        cell += '"';
        rest_.remove_prefix(2);
      } else if (rest_.front() == '"') {
        rest_.remove_prefix(1);
        return {};
      } else {
        if (rest_.front() == '\n') ++line_;
        cell += rest_.front();
        rest_.remove_prefix(1);
      }
    }
  }

  void end_line() {
    rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : 1);
    ++line_;
  }

  [[nodiscard]] Failure wrong(const char* what) const {
    Place place;
    place.line = line_;
    return fail("csv-quote", what, place);
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
};

}  // namespace

Result<std::vector<CsvRecord>> parse_csv(std::string_view text) { return Reader(text).read(); }

}  // namespace rondo
