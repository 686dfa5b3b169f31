#include "report/bundle.h"

#include <cstdint>

// From bundle.S, which takes in the files as they are.
// NOLINTBEGIN(readability-identifier-naming): they are the assembler's names
extern "C" {
extern const char rondo_bundle_script[];
extern const std::uint64_t rondo_bundle_script_size;
extern const char rondo_bundle_style[];
extern const std::uint64_t rondo_bundle_style_size;
}
// NOLINTEND(readability-identifier-naming)

namespace rondo::report {

std::string_view bundle_script() { return {rondo_bundle_script, rondo_bundle_script_size}; }
std::string_view bundle_style() { return {rondo_bundle_style, rondo_bundle_style_size}; }

}  // namespace rondo::report
