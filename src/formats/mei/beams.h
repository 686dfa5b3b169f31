#pragma once

#include <pugixml.hpp>

namespace rondo::mei {

/// Joins notes shorter than a quarter that follow each other within one beat: a dotted quarter in 6/8 and its kin, a
/// half measure in 3/8, else a quarter. For the eye only; no note is changed.
void add_beams(pugi::xml_node score);

}  // namespace rondo::mei
