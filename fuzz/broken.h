#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

/// Ends a fuzz target that found something: says what, and with which input or result.
[[noreturn]] inline void broken(const char* what, const std::string& detail) {
  std::fprintf(stderr, "%s\n%s\n", what, detail.c_str());
  std::abort();
}
