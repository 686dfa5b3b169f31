#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "concordances/decisions.h"
#include "concordances/groups.h"
#include "rondo/melody/piece.h"

namespace rondo::concordances {

/// What is written of a melody besides its name.
struct Source {
  Metadata metadata;
  Voice voice;
};

/// Everything that a file of results shows.
struct Shown {
  const Concordances& found;
  const Grouping& grouping;
  const std::vector<Source>& sources;  ///< by melody
  const System& system;                ///< for alignments
  Options options;
  std::string title;
  const Decisions* decisions = nullptr;  ///< null: none are known
};

/// The sources of all melodies of a result. `against` is the second collection, if there was one.
[[nodiscard]] Result<std::vector<Source>> read_sources(const Concordances& found, Collection& collection,
                                                       Collection* against, unsigned threads = 1);

/// One line for each pair, RFC 4180. Of two collections the first melody is of the first.
void write_pairs_csv(std::ostream& out, const Shown& shown);
/// One line for each decision of an editor.
void write_decisions_csv(std::ostream& out, const Shown& shown);
/// One line for each member of each group.
void write_groups_csv(std::ostream& out, const Shown& shown);
/// Melodies, pairs, groups and links.
void write_json(std::ostream& out, const Shown& shown);
/// One page of its own: groups with their incipits aligned, sources and filters.
void write_page(std::ostream& out, const Shown& shown);
/// Statements in Turtle with the terms of schema.org: each group is a MusicComposition, and each melody one that is an
/// example of it. What an editor rejected is not stated.
void write_turtle(std::ostream& out, const Shown& shown);
/// One MARCXML record for each piece of the first collection with a concordance: 001, and a linking entry 787 for each
/// piece that it has one with. Without what an editor rejected.
void write_marcxml(std::ostream& out, const Shown& shown);

}  // namespace rondo::concordances
