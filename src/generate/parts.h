#pragma once

#include <string>

#include "generate/generate.h"
#include "random.h"
#include "rondo/melody/piece.h"
#include "sketch.h"

/// The steps from a random stream to a piece, one source file each.
namespace rondo::generate {

/// A melody of its own.
void compose(Random& random, Sketch& sketch);

/// Notes of a bar in `metre` and style: the rhythm alone.
void add_rhythm(Random& random, const Metre& metre, int style, int ticks, Sketch& sketch);
/// Likewise of an upbeat; says its length, 0 for none.
int add_pickup(Random& random, const Metre& metre, Sketch& sketch);
/// How lively the piece is: 0 calm, 1 usual, 2 quick. Holds for all its bars.
int choose_style(Random& random);

/// Turns a melody into a variant of itself.
void vary(Random& random, VariantKind kind, Sketch& sketch);

/// The notes of the sketch.
[[nodiscard]] Voice to_voice(const Sketch& sketch);
/// The sketch as PAE in lines.
[[nodiscard]] std::string to_pae_lines(const Sketch& sketch);

/// Title, composer, shelfmark and so on, all invented.
void describe(Random& random, const Sketch& sketch, Metadata& metadata);

}  // namespace rondo::generate
