#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::abc {

/// A note that is still to be written: the whole note, or the rest of it after a bar line.
struct Sounding {
  Pitch pitch;
  Fraction onset;
  Fraction end;
};

/// One written note or chord, with the grace notes before it. Without notes: grace notes before a rest.
struct Item {
  Fraction onset;
  Fraction end;
  bool ties = false;  ///< its notes continue after the bar line
  std::vector<Note> graces;
  std::vector<Sounding> notes;
};

/// Items one after the other; ABC's & puts several layers into a measure.
using Layer = std::vector<Item>;

/// Distributes the notes of a voice, measure by measure, over layers without overlap. Notes split by a bar line
/// continue in the order in which their first parts are written, so that a reader joins the right ones.
class Layers {
 public:
  explicit Layers(const Voice& voice) : voice_(voice) {}
  /// The layers of the measure that ends at `end`; must be called for measures in order. Empty: silence.
  [[nodiscard]] std::vector<Layer> measure(Fraction begin, Fraction end);
  /// Too many simultaneous notes; the layers returned are incomplete.
  [[nodiscard]] bool overfull() const { return overfull_; }

 private:
  static constexpr std::size_t kMostLayers = 64;
  void place(std::vector<Layer>& layers, Item&& item);
  [[nodiscard]] std::vector<Item> items_at(Fraction onset, Fraction end, const std::vector<Sounding>& sounding,
                                           std::vector<Note> graces);

  const Voice& voice_;
  std::size_t next_ = 0;
  std::vector<Sounding> carried_;
  bool overfull_ = false;
};

}  // namespace rondo::abc
