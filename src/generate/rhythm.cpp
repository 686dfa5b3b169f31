// Rhythm out of figures that fill one or more beats. The weights follow what the Essen folk songs show of note values
// and of their ratios, rounded.

#include "parts.h"

namespace rondo::generate {
namespace {

/// Values in 48ths of a simple beat or 72nds of a compound one: with a quarter (dotted quarter) as the beat, ticks.
struct Figure {
  std::array<std::uint8_t, 3> weights;  ///< by style
  std::uint8_t beats;
  bool triplet;
  std::uint8_t count;
  std::array<std::uint8_t, 6> values;
};

constexpr Figure kSimple[] = {
    {{36, 20, 9}, 1, false, 1, {48}},
    {{16, 30, 30}, 1, false, 2, {24, 24}},
    {{5, 9, 9}, 1, false, 2, {36, 12}},
    {{0, 1, 2}, 1, false, 2, {12, 36}},
    {{1, 3, 9}, 1, false, 3, {24, 12, 12}},
    {{0, 3, 7}, 1, false, 3, {12, 12, 24}},
    {{0, 2, 12}, 1, false, 4, {12, 12, 12, 12}},
    {{0, 1, 3}, 1, true, 3, {16, 16, 16}},
    {{12, 7, 2}, 2, false, 1, {96}},
    {{6, 6, 2}, 2, false, 2, {72, 24}},
    {{0, 1, 1}, 2, false, 3, {72, 12, 12}},
    {{1, 2, 2}, 2, false, 3, {24, 48, 24}},
    {{6, 1, 0}, 3, false, 1, {144}},
    {{8, 4, 1}, 3, false, 2, {96, 48}},
    {{4, 2, 0}, 3, false, 3, {72, 24, 48}},
    {{2, 0, 0}, 4, false, 1, {192}},
};

constexpr Figure kCompound[] = {
    {{20, 8, 4}, 1, false, 1, {72}},
    {{30, 30, 14}, 1, false, 2, {48, 24}},
    {{2, 3, 2}, 1, false, 2, {24, 48}},
    {{12, 30, 36}, 1, false, 3, {24, 24, 24}},
    {{1, 6, 7}, 1, false, 3, {36, 12, 24}},
    {{0, 3, 5}, 1, false, 4, {24, 24, 12, 12}},
    {{0, 2, 5}, 1, false, 4, {12, 12, 24, 24}},
    {{0, 0, 4}, 1, false, 6, {12, 12, 12, 12, 12, 12}},
    {{5, 2, 1}, 2, false, 1, {144}},
};

struct Upbeat {
  std::uint8_t weight;
  std::uint8_t count;
  std::array<std::uint8_t, 3> values;
};
constexpr Upbeat kSimpleUpbeats[] = {
    {45, 0, {}},      {26, 1, {48}},    {16, 1, {24}},        {8, 2, {24, 24}},
    {4, 2, {36, 12}}, {3, 2, {12, 12}}, {1, 3, {24, 12, 12}},
};
constexpr Upbeat kCompoundUpbeats[] = {
    {40, 0, {}}, {42, 1, {24}}, {6, 2, {12, 12}}, {8, 3, {24, 24, 24}}, {4, 2, {48, 24}},
};

/// The scale from figures to ticks: the figure's beat is a quarter or dotted quarter.
int scale(const Metre& metre) { return metre.compound ? 1 : metre.beat / kQuarter; }

const Figure& choose_figure(Random& random, std::span<const Figure> figures, int style, int beats_left) {
  int total = 0;
  const auto weight = [&](const Figure& figure) {
    return figure.beats <= beats_left ? int{at(figure.weights, style)} : 0;
  };
  for (const Figure& figure : figures) total += weight(figure);
  int left = random.below(total);
  for (const Figure& figure : figures) {
    left -= weight(figure);
    if (left < 0) return figure;
  }
  return figures.front();
}

}  // namespace

int choose_style(Random& random) {
  constexpr std::array<std::uint8_t, 3> kStyles = {40, 44, 16};
  return random.choose(std::span<const std::uint8_t>(kStyles));
}

void add_rhythm(Random& random, const Metre& metre, int style, int ticks, Sketch& sketch) {
  const std::span<const Figure> figures = metre.compound ? std::span<const Figure>(kCompound) : kSimple;
  int left = ticks / metre.beat;
  while (left > 0) {
    const Figure& figure = choose_figure(random, figures, style, left);
    for (std::uint8_t i = 0; i < figure.count; ++i) {
      Event event;
      event.ticks = figure.values[i] * scale(metre);
      event.triplet = figure.triplet ? i + 1 : 0;
      sketch.add(event);
    }
    left -= figure.beats;
  }
}

int add_pickup(Random& random, const Metre& metre, Sketch& sketch) {
  const Upbeat& upbeat = metre.compound ? random.row(kCompoundUpbeats) : random.row(kSimpleUpbeats);
  int length = 0;
  for (std::uint8_t i = 0; i < upbeat.count; ++i) length += upbeat.values[i] * scale(metre);
  if (length >= metre.bar()) return 0;
  for (std::uint8_t i = 0; i < upbeat.count; ++i) {
    Event event;
    event.ticks = upbeat.values[i] * scale(metre);
    sketch.add(event);
  }
  return length;
}

}  // namespace rondo::generate
