#pragma once

#include <string_view>

/// The script and style of a page, made by `npm run build` in web/ and embedded at build time; empty if they were
/// missing.
namespace rondo::report {

struct Bundle {
  std::string_view script;
  std::string_view style;
  std::string_view data_id;  ///< id of the element from which the script reads its data
  std::string_view may{};    ///< additional sources for the page's Content-Security-Policy, with a leading blank
};

[[nodiscard]] Bundle report_bundle();
[[nodiscard]] Bundle tables_bundle();

}  // namespace rondo::report
