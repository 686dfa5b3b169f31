#include "report/bundle.h"

#include <cstdint>

// From bundle.S, which embeds the files.
// NOLINTBEGIN(readability-identifier-naming): they are the assembler's names
extern "C" {
extern const char rondo_report_script[];
extern const std::uint64_t rondo_report_script_size;
extern const char rondo_report_style[];
extern const std::uint64_t rondo_report_style_size;
extern const char rondo_tables_script[];
extern const std::uint64_t rondo_tables_script_size;
extern const char rondo_tables_style[];
extern const std::uint64_t rondo_tables_style_size;
}
// NOLINTEND(readability-identifier-naming)

namespace rondo::report {

Bundle report_bundle() {
  return {{rondo_report_script, rondo_report_script_size}, {rondo_report_style, rondo_report_style_size}, "data"};
}

Bundle tables_bundle() {
  return {{rondo_tables_script, rondo_tables_script_size},
          {rondo_tables_style, rondo_tables_style_size},
          "rondo-tables",
          " 'wasm-unsafe-eval'"};  // the engraver
}

}  // namespace rondo::report
