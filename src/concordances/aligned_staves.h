#pragma once

#include <string>
#include <vector>

#include "concordances/write.h"

namespace rondo::concordances {

/// The melodies of a group one under the other as SVG, each aligned with the centre of the group by the notes they have
/// in common: by member one staff. Notes that differ have another colour and a sign below them: a triangle for another
/// pitch, a plus for a note that the centre does not have, a minus where it has one more. Melodies in another key are
/// moved to that of the centre.
[[nodiscard]] std::vector<std::string> aligned_staves(const Shown& shown, const Group& group);

}  // namespace rondo::concordances
