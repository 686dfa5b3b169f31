#include "search/index/onset_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "generate/generate.h"
#include "search/index.h"
#include "search/index/snapshot.h"
#include "similarity/points.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using index::OnsetPlaces;

/// Generated melodies; in every second one some notes are held while others begin, so that notes of one pitch overlap.
Corpus with_held_notes(std::size_t pieces) {
  Corpus corpus;
  const Generator generator(31);
  std::mt19937 random(31);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    Document document = make_document(generator.piece(i));
    for (Line& line : document.voices) {
      for (std::int64_t& duration : line.duration) duration *= i % 2 == 0 && random() % 3 == 0 ? 4 : 1;
    }
    document.points = make_points(std::span<const Line>(document.voices));
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

/// Pitch and onset since the first note, of all points.
using PitchesAndPlaces = std::vector<std::pair<int, std::int64_t>>;
PitchesAndPlaces points_as_bytes(const Line& line) {
  const Points points = on_grid(make_points(line), index::Segment::kTicks);
  PitchesAndPlaces out;
  for (const Point& point : points.points) {
    out.emplace_back(point.pitch, (point.onset - points.points.front().onset) % OnsetPlaces::kPlaces);
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(OnsetPlaces, AreThoseOfThePointsThatAreScored) {
  const Corpus corpus = with_held_notes(static_cast<std::size_t>(test::rounds(2000)));
  const Index index = Index::of(corpus).value();
  const index::Segment& segment = index.snapshot().segments.front();
  const OnsetPlaces* const places = segment.onset_places();
  ASSERT_NE(places, nullptr);
  EXPECT_EQ(segment.onset_places(), places) << "they are made once";
  EXPECT_EQ(index.opening(6).snapshot().segments.front().onset_places(), places) << "and shared by all views";
  std::size_t known = 0;
  std::size_t joined = 0;
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    const index::Segment::Notes notes = segment.notes_of(d);
    if (!places->known(notes)) continue;
    ++known;
    segment.line(d, line);
    PitchesAndPlaces found;
    for (std::uint32_t j = 0; j < notes.count; ++j) {
      if (places->places(notes)[j] == OnsetPlaces::kJoined) {
        ++joined;
      } else {
        found.emplace_back(places->pitches(notes)[j], places->places(notes)[j]);
      }
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, points_as_bytes(line)) << d;
  }
  EXPECT_GT(known, segment.size() * 9 / 10);
  EXPECT_GT(joined, segment.size() / 20);
}

TEST(OnsetPlaces, AreNotKnownOfWhatTheReaderOfPointsDoesNotRead) {
  // One of too many notes, one with a time that the grid does not have.
  Corpus corpus = with_held_notes(2);
  const Line model = corpus.documents[1].voices.front();
  const auto add = [&](Line line) {
    Document document;
    document.voices.push_back(std::move(line));
    document.points = make_points(std::span<const Line>(document.voices));
    document.key = PieceKey{static_cast<std::int64_t>(corpus.documents.size()) + 1};
    document.id = "piece " + std::to_string(corpus.documents.size());
    corpus.documents.push_back(std::move(document));
  };
  Line finer = model;
  finer.ticks_per_whole *= 1009;
  for (std::int64_t& onset : finer.onset) onset = onset * 1009 + (onset == finer.onset.front() ? 0 : 1);
  for (std::int64_t& duration : finer.duration) duration *= 1009;
  Line longer;
  longer.ticks_per_whole = 4;
  for (std::uint32_t i = 0; i <= index::PointReader::kMaxNotes; ++i) {
    longer.pitch.push_back(60);
    longer.base40.push_back(static_cast<std::int16_t>(Pitch::from_midi(60).base40()));
    longer.onset.push_back(i);
    longer.duration.push_back(1);
  }
  add(finer);
  add(longer);
  const Index index = Index::of(corpus).value();
  const index::Segment& segment = index.snapshot().segments.front();
  const OnsetPlaces places(segment);
  std::size_t unknown = 0;
  Line line;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    const index::Segment::Notes notes = segment.notes_of(d);
    segment.line(d, line);
    const bool readable = notes.count <= index::PointReader::kMaxNotes && line.ticks_per_whole < 1009;
    EXPECT_EQ(places.known(notes), readable) << d;
    unknown += readable ? 0 : 1;
  }
  EXPECT_EQ(unknown, 2U);
}

}  // namespace
}  // namespace rondo
