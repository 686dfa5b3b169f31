#include "gpu/line_columns.h"

namespace rondo::gpu {

void LineColumns::add(std::span<const std::uint8_t> pitch, std::span<const std::int32_t> onset,
                      std::span<const TimeCurve> time, bool whole) {
  documents.push_back({static_cast<std::uint32_t>(pitches.size()),
                       static_cast<std::uint8_t>(pitch.size()),
                       static_cast<std::uint8_t>(whole ? 1 : 0),
                       {}});
  // Each begins at a multiple of four, so that four bytes are read at once.
  const std::size_t end = (pitches.size() + pitch.size() + 3) / 4 * 4;
  pitches.insert(pitches.end(), pitch.begin(), pitch.end());
  for (const std::int32_t ticks : onset) {
    const auto since = static_cast<std::uint32_t>(ticks) - static_cast<std::uint32_t>(onset.front());
    places.push_back(static_cast<std::uint8_t>(since % kPlaces));
  }
  times.insert(times.end(), time.begin(), time.end());
  pitches.resize(end);
  places.resize(end);
  times.resize(end);
}

void LineColumns::append(const LineColumns& other) {
  const auto first = static_cast<std::uint32_t>(pitches.size());
  for (LineDocument document : other.documents) {
    document.first_note += first;
    documents.push_back(document);
  }
  pitches.insert(pitches.end(), other.pitches.begin(), other.pitches.end());
  places.insert(places.end(), other.places.begin(), other.places.end());
  times.insert(times.end(), other.times.begin(), other.times.end());
}

}  // namespace rondo::gpu
