#include "requirements/recorded.h"

#include <cstdint>

// From recorded.S, which takes in the file as it is.
// NOLINTBEGIN(readability-identifier-naming): they are the assembler's names
extern "C" {
extern const char rondo_requirements[];
extern const std::uint64_t rondo_requirements_size;
}
// NOLINTEND(readability-identifier-naming)

namespace rondo {

std::string_view requirements_recorded() { return {rondo_requirements, rondo_requirements_size}; }

}  // namespace rondo
