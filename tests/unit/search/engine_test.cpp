#include "rondo/search/engine.h"

#include <gtest/gtest.h>

#include <random>

#include "rondo/generate/generate.h"
#include "rondo/search/load.h"
#include "support/lines.h"
#include "support/scratch.h"

namespace rondo {
namespace {

/// Pieces of all kinds: lines, chords, several voices, grace notes, one voice of nothing.
Collection mixed_collection(const std::filesystem::path& path) {
  auto collection = Collection::open(path, OpenMode::create).value();
  const Generator generator(8);
  std::mt19937 random(8);
  for (std::uint64_t i = 0; i < 60; ++i) {
    Piece piece = generator.piece(i);
    Voice& voice = piece.voices.front();
    if (i % 5 == 1 && voice.notes.size() > 2) {  // a chord
      Note added = voice.notes[1];
      added.pitch = Pitch::from_midi(added.pitch.midi() - 4);
      voice.notes.insert(voice.notes.begin() + 2, added);
    }
    if (i % 5 == 2) piece.voices.push_back(generator.piece(1000 + i).voices.front());
    if (i % 5 == 3) {
      VoiceBuilder builder;
      builder.grace(Fraction(0), Fraction(1, 8), Pitch::from_midi(70));
      builder.note(Fraction(0), Fraction(1, 4), Pitch::from_midi(60 + static_cast<int>(random() % 12)));
      builder.note(Fraction(1, 4), Fraction(1, 4), Pitch::from_midi(62));
      voice = builder.finish().value();
    }
    if (i % 20 == 4) voice = Voice{};
    EXPECT_TRUE(normalise(piece.voices.front()));
    EXPECT_TRUE(collection.put(piece));
  }
  return collection;
}

TEST(Engine, OrioFindsThroughTheIndexWhatScoringAllFinds) {
  const Scratch folder;
  Collection collection = mixed_collection(folder / "c.db");
  const Corpus corpus = load_corpus(collection).value();
  Engine engine = Engine::open(collection).value();
  const ChosenSystem fast_one = resolve_system("Orio").value();
  const ChosenSystem slow_one = resolve_system("Orio").value();
  ASSERT_TRUE(engine.teach(*fast_one.system));
  corpus.teach(*slow_one.system);
  for (const std::size_t like : {0U, 1U, 2U, 17U, 40U}) {
    const Line& query = corpus.documents[like].voices.front();
    SearchOptions options{.k = 100};
    if (like == 17) options.except = corpus.documents[like].key;
    const SearchResult fast = engine.search(fast_one, query, options).value();
    const SearchResult slow = search(corpus, *slow_one.row, *slow_one.system, query, options);
    EXPECT_NE(fast.method, "exhaustive");
    ASSERT_EQ(fast.hits.size(), slow.hits.size()) << "like " << like;
    for (std::size_t i = 0; i < slow.hits.size(); ++i) {
      EXPECT_EQ(fast.hits[i].piece, slow.hits[i].piece) << "like " << like << " at " << i;
      EXPECT_EQ(fast.hits[i].voice, slow.hits[i].voice) << "like " << like << " at " << i;
      EXPECT_EQ(fast.hits[i].score, slow.hits[i].score) << "like " << like << " at " << i;
    }
    EXPECT_EQ(fast.compared, slow.compared);
    EXPECT_EQ(fast.not_compared, slow.not_compared);
  }
}

TEST(Engine, WholePiecesAreFoundAsByScoringThemAll) {
  const Scratch folder;
  Collection collection = mixed_collection(folder / "c.db");
  const Corpus corpus = load_corpus(collection).value();
  Engine engine = Engine::open(collection).value();
  EXPECT_GT(Index::of(collection).value().partial().size(), 20U);
  EXPECT_LT(Index::of(collection).value().partial().size(), 40U);
  for (const char* name : {"P1", "P2", "P3"}) {
    const ChosenSystem chosen = resolve_system(name).value();
    for (const std::size_t like : {0U, 1U, 2U, 3U, 17U, 40U}) {
      const Line& query = corpus.documents[like].voices.front();
      for (const std::size_t k : {std::size_t{1}, std::size_t{9}, std::size_t{100}}) {
        SearchOptions options{.k = k};
        if (like == 17) options.except = corpus.documents[like].key;
        const SearchResult fast = engine.search(chosen, query, options).value();
        const SearchResult slow = search(corpus, *chosen.row, *chosen.system, query, options);
        ASSERT_EQ(fast.hits.size(), slow.hits.size()) << name;
        for (std::size_t i = 0; i < slow.hits.size(); ++i) {
          EXPECT_EQ(fast.hits[i].piece, slow.hits[i].piece) << name << " like " << like << " k " << k << " at " << i;
          EXPECT_EQ(fast.hits[i].score, slow.hits[i].score) << name;
        }
        EXPECT_EQ(fast.compared, slow.compared) << name << " like " << like;
        EXPECT_EQ(fast.not_compared, slow.not_compared) << name;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
