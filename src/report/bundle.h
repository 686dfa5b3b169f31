#pragma once

#include <string_view>

/// What `npm run build` in web/ made for a page, as it was when the program was built; empty when it was not there.
namespace rondo::report {

struct Bundle {
  std::string_view script;
  std::string_view style;
  std::string_view data_id;  ///< of the element that the script reads its data from
  std::string_view may{};    ///< what the page's policy must allow it besides, with a blank in front
};

[[nodiscard]] Bundle report_bundle();
[[nodiscard]] Bundle tables_bundle();

}  // namespace rondo::report
