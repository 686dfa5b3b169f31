#include "formats/abc/layers.h"

#include <algorithm>

namespace rondo::abc {
namespace {

bool same_place(const Item& item, const Pitch& pitch) {
  return std::any_of(item.notes.begin(), item.notes.end(), [&](const Sounding& other) {
    return other.pitch.midi() == pitch.midi() || other.pitch.diatonic() == pitch.diatonic();
  });
}

/// The item a note can join: of the same length, and such that it does not precede an earlier note of the same pitch.
/// The order distinguishes unisons, and tied notes from new ones.
Item* find_item(std::vector<Item>& items, Fraction end, bool ties, const Pitch& pitch) {
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    if (item->end == end && item->ties == ties && !item->notes.empty()) return &*item;
    if (same_place(*item, pitch)) return nullptr;
  }
  return nullptr;
}

}  // namespace

void Layers::place(std::vector<Layer>& layers, Item&& item) {
  for (Layer& layer : layers) {
    if (layer.empty() || layer.back().end <= item.onset) {
      layer.push_back(std::move(item));
      return;
    }
  }
  if (layers.size() == kMostLayers) {
    overfull_ = true;
  } else {
    layers.emplace_back().push_back(std::move(item));
  }
}

std::vector<Item> Layers::items_at(Fraction onset, Fraction end, const std::vector<Sounding>& sounding,
                                   std::vector<Note> graces) {
  std::vector<Item> items;
  for (const Sounding& note : sounding) {
    const bool ties = note.end > end;
    const Fraction until = ties ? end : note.end;
    Item* item = find_item(items, until, ties, note.pitch);
    if (item == nullptr && items.size() == kMostLayers) {
      overfull_ = true;
      break;
    }
    if (item == nullptr) item = &items.emplace_back(Item{onset, until, ties, {}, {}});
    item->notes.push_back(note);
  }
  if (items.empty()) items.push_back(Item{onset, onset, false, {}, {}});
  items.front().graces = std::move(graces);
  return items;
}

std::vector<Layer> Layers::measure(Fraction begin, Fraction end) {
  std::vector<Layer> layers;
  std::vector<Sounding> sounding = std::move(carried_);
  carried_.clear();
  Fraction onset = begin;
  while (true) {
    std::vector<Note> graces;
    for (; next_ < voice_.notes.size() && voice_.notes[next_].onset == onset; ++next_) {
      const Note& note = voice_.notes[next_];
      if (note.grace) {
        graces.push_back(note);
      } else {
        sounding.push_back({note.pitch, note.onset, note.end()});
      }
    }
    if (!sounding.empty() || !graces.empty()) {
      for (Item& item : items_at(onset, end, sounding, std::move(graces))) place(layers, std::move(item));
    }
    sounding.clear();
    if (next_ >= voice_.notes.size() || voice_.notes[next_].onset >= end) break;
    onset = voice_.notes[next_].onset;
  }
  for (const Layer& layer : layers) {
    for (const Item& item : layer) {
      for (const Sounding& note : item.notes) {
        if (item.ties) carried_.push_back({note.pitch, end, note.end});
      }
    }
  }
  return layers;
}

}  // namespace rondo::abc
