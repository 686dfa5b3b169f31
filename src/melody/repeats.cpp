#include "melody/repeats.h"

#include <algorithm>
#include <bit>

namespace rondo {

Result<std::vector<std::uint32_t>> play_order(std::span<const RepeatMark> marks, std::size_t limit) {
  std::vector<std::uint32_t> order;
  order.reserve(marks.size());
  std::size_t section = 0;  // where the current section began
  unsigned pass = 1;        // the number of the current pass
  bool returned = false;    // an ending has been played, so an unnumbered stretch after it opens a new section
  unsigned named = 0;       // the last pass that an ending of the section names, as far as it is counted
  std::size_t counted = 0;
  const auto begin_section = [&](std::size_t at) {
    section = counted = at;
    pass = 1;
    named = 0;
  };
  std::size_t i = 0;
  while (i < marks.size()) {
    const RepeatMark& mark = marks[i];
    if (mark.endings == 0) {
      if ((mark.starts && i != section) || returned) begin_section(i);
      returned = false;
    } else if (mark.starts && i != section && (mark.endings & 1U) != 0 && (returned || pass == 1)) {
      // A repeat that begins with its first ending: unusual, but a separate section.
      begin_section(i);
    }
    const bool sounds = mark.endings == 0 || (pass <= 32 && ((mark.endings >> (pass - 1)) & 1U) != 0);
    if (sounds) {
      if (order.size() >= limit) {
        return fail("repeats-too-long", "written out, the repeats give more than " + std::to_string(limit) + " bars");
      }
      order.push_back(static_cast<std::uint32_t>(i));
    }
    if (sounds && mark.ends > 1) {
      // With endings the section is played once for each pass any of its endings names; without, as often as said.
      unsigned passes = mark.ends;
      if (mark.endings != 0) {
        for (; counted < marks.size(); ++counted) {
          if (counted > i && (marks[counted].endings == 0 || marks[counted].starts)) break;
          named = std::max(named, static_cast<unsigned>(std::bit_width(marks[counted].endings)));
        }
        passes = std::max(passes, named);
      }
      if (pass < passes) {
        ++pass;
        returned = false;
        i = section;
        continue;
      }
      if (mark.endings == 0) {
        begin_section(i + 1);
      } else {
        returned = true;
      }
    } else if (sounds && mark.endings != 0) {
      returned = true;
    }
    ++i;
  }
  return order;
}

}  // namespace rondo
