#pragma once

#include <string>
#include <vector>

#include "concordances/write.h"

namespace rondo::concordances {

/// A melody of a group as it is drawn.
struct AlignedStaff {
  std::string svg;
  // Notes, of the whole melody.
  std::size_t same = 0;
  std::size_t other = 0;    ///< of another pitch than the centre's
  std::size_t added = 0;    ///< that the centre does not have
  std::size_t missing = 0;  ///< that only the centre has
};
/// The melodies of a group one under the other as SVG, each aligned with the centre of the group by the notes they have
/// in common: by member one staff. Notes that differ have another colour and a sign below them: a triangle for another
/// pitch, a plus for a note that the centre does not have, a minus where it has one more. Melodies in another key are
/// moved to that of the centre.
[[nodiscard]] std::vector<AlignedStaff> aligned_staves(const Shown& shown, const Group& group);

}  // namespace rondo::concordances
