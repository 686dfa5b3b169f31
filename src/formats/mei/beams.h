#pragma once

#include <pugixml.hpp>

namespace rondo::mei {

/// Beams successive notes shorter than a quarter within one beat: a dotted quarter in compound metres such as 6/8, a
/// half measure in 3/8, else a quarter. Affects only the engraving; no note is changed.
void add_beams(pugi::xml_node score);

}  // namespace rondo::mei
