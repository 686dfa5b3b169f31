#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::abc {

/// A note that is still to be written: all of it, or what a bar line left over.
struct Sounding {
  Pitch pitch;
  Fraction onset;
  Fraction end;
};

/// What is written as one note or chord, with the grace notes before it. Without notes: grace notes before a rest.
struct Item {
  Fraction onset;
  Fraction end;
  bool ties = false;  ///< its notes go on behind the bar line
  std::vector<Note> graces;
  std::vector<Sounding> notes;
};

/// Items one after the other; ABC's & puts several layers into a measure.
using Layer = std::vector<Item>;

/// Walks through a voice measure by measure and arranges what sounds in layers without overlap. Notes that a bar line
/// cuts are given on in the order in which their first parts are written, so that a reader joins the right ones.
class Layers {
 public:
  explicit Layers(const Voice& voice) : voice_(voice) {}
  /// The layers of the measure that ends at `end`; measures are asked for in order. Empty: all is silent.
  [[nodiscard]] std::vector<Layer> measure(Fraction begin, Fraction end);
  /// More sounds at once than anybody could read, or than could be arranged in good time: what was given is not all.
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
