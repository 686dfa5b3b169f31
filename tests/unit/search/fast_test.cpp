#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "generate/generate.h"
#include "rondo/formats/open.h"
#include "search/index/builder.h"
#include "search/index/snapshot.h"
#include "search/kernels/level.h"
#include "search/rank.h"
#include "search/search.h"
#include "similarity/points.h"
#include "support/data.h"
#include "support/lines.h"
#include "support/rounds.h"

/// Every way to search quickly against scoring everything, on melodies that are meant to trip it.
namespace rondo {
namespace {

int below(std::mt19937& random, unsigned limit) { return static_cast<int>(random() % limit); }

/// A melody of pitches and times (in parts of `parts`) as `pitch` and `time` give them.
template <typename PitchAt, typename TimeAt>
Line made_of(std::size_t notes, std::int64_t parts, const PitchAt& pitch, const TimeAt& time) {
  VoiceBuilder builder;
  Fraction at;
  for (std::size_t i = 0; i < notes; ++i) {
    const Fraction duration(time(i), parts);
    builder.note(at, duration, Pitch::from_midi(pitch(i)));
    at += duration;
  }
  return make_line(builder.finish().value());
}

Line transposed(Line line, int by) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const int moved = std::clamp(line.pitch[i] + by, 0, 127);
    line.base40[i] = static_cast<std::int16_t>(Pitch::from_midi(moved).base40());
    line.pitch[i] = static_cast<std::int16_t>(moved);
  }
  return line;
}

/// Leaves some notes of a query open, if the system takes that.
void leave_open(const SystemRow& row, std::mt19937& random, Line& query) {
  if (!row.unknown_notes) return;
  keep_opening(query, 1 + random() % 6);
  for (std::uint32_t i = 0; i <= query.size(); ++i) {
    if (below(random, 3) != 0) continue;
    const auto notes = static_cast<std::uint32_t>(below(random, 3));
    query.unknown.push_back({i, notes, below(random, 2) == 0, below(random, 4) != 0});
  }
}

/// Some notes end so early that it depends on the grid whether a rest follows.
Line with_short_silences(std::mt19937& random, std::size_t notes) {
  VoiceBuilder builder;
  Fraction at;
  for (std::size_t i = 0; i < notes; ++i) {
    const Fraction duration(1 + below(random, 3), 8);
    builder.note(at, duration, Pitch::from_midi(60 + below(random, 6)));
    at += duration;
    if (below(random, 4) == 0) at += Fraction(1, std::array{48, 64, 96, 128}[random() % 4]);
  }
  return make_line(builder.finish().value());
}

Line hostile_line(std::mt19937& random) {
  const auto notes = static_cast<std::size_t>(1 + below(random, 26));
  const auto eighth = [](std::size_t) { return std::int64_t{1}; };
  switch (below(random, 8)) {
    case 0:
      return made_of(
          1, 4, [&](std::size_t) { return below(random, 128); }, eighth);
    case 1: {  // one pitch
      const int pitch = below(random, 128);
      return made_of(
          notes, 8, [&](std::size_t) { return pitch; }, eighth);
    }
    case 2:  // leaps over the whole keyboard
      return made_of(
          notes, 8, [&](std::size_t) { return below(random, 128); }, eighth);
    case 3: {  // times that fit no grid
      const std::int64_t parts = std::int64_t{7} + below(random, 30);
      return made_of(
          notes, parts, [&](std::size_t) { return 60 + below(random, 8); },
          [&](std::size_t) { return std::int64_t{1} + below(random, 5); });
    }
    case 4:  // very short and very long
      return made_of(
          notes, 64, [&](std::size_t) { return 58 + below(random, 12); },
          [&](std::size_t) { return below(random, 4) == 0 ? std::int64_t{640} : std::int64_t{1}; });
    case 5:  // few pitches, so that much is equal
      return made_of(
          notes, 8, [&](std::size_t) { return 60 + 2 * below(random, 3); }, eighth);
    case 6: return with_short_silences(random, notes);
    default: return random_line(random, notes);
  }
}

/// All voices at once.
Points points_of(const std::vector<Line>& voices) {
  Line all;
  for (const Line& line : voices) all.ticks_per_whole = std::lcm(all.ticks_per_whole, line.ticks_per_whole);
  for (const Line& line : voices) {
    const std::int64_t factor = all.ticks_per_whole / line.ticks_per_whole;
    for (std::size_t i = 0; i < line.size(); ++i) {
      all.pitch.push_back(line.pitch[i]);
      all.onset.push_back(line.onset[i] * factor);
      all.duration.push_back(line.duration[i] * factor);
    }
  }
  return make_points(all);
}

/// Melodies of which many are equal, transposed, or nearly so: ties everywhere.
Corpus hostile_corpus(std::uint32_t seed, std::size_t pieces) {
  std::mt19937 random(seed);
  Corpus corpus;
  std::vector<Line> all;
  for (std::size_t i = 0; i < pieces; ++i) {
    Document document;
    document.id = "p" + std::to_string(random() % 1000) + "-" + std::to_string(i);
    const std::size_t voices = 1 + random() % 9 / 8;
    for (std::size_t v = 0; v < voices; ++v) {
      Line line = hostile_line(random);
      if (!all.empty() && below(random, 3) == 0) {
        line = transposed(all[random() % all.size()], below(random, 9) - 4);
        if (below(random, 2) == 0) line.pitch[random() % line.size()] = static_cast<std::int16_t>(below(random, 128));
      }
      all.push_back(line);
      document.voices.push_back(std::move(line));
    }
    document.points = points_of(document.voices);
    document.key = PieceKey{static_cast<std::int64_t>(i) + 1};
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

/// An index of `parts` segments; pieces are counted from 1.
Index index_of(const Corpus& corpus, std::size_t parts) {
  std::vector<std::pair<std::string, std::int64_t>> ids;
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) {
    ids.emplace_back(corpus.documents[i].id, static_cast<std::int64_t>(i) + 1);
  }
  std::sort(ids.begin(), ids.end());
  index::IdOrder order;
  for (const auto& entry : ids) order.add(entry.second);
  order.finish();
  std::vector<std::string> segments;
  std::int64_t voice = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    index::SegmentBuilder builder;
    for (std::size_t i = part; i < corpus.documents.size(); i += parts) {
      std::uint32_t number = 0;
      const bool whole = corpus.documents[i].voices.size() == 1;
      for (const Line& line : corpus.documents[i].voices) {
        const auto piece = PieceKey{static_cast<std::int64_t>(i) + 1};
        EXPECT_TRUE(builder.add(VoiceKey{++voice}, piece, number++, line, whole));
      }
    }
    segments.push_back(builder.finish(order));
  }
  return Index(index::Snapshot::of(std::move(segments)).value());
}

using Ranked = std::vector<std::tuple<std::string, std::uint32_t, double>>;

struct Comparison {
  const SystemRow& row;
  const Corpus& corpus;
  std::unique_ptr<System> slow_system;
  std::unique_ptr<System> fast_system;

  Comparison(const SystemRow& system, const Corpus& documents, const Index& index)
      : Comparison(system, Parameters(system.parameters), documents, index) {}
  Comparison(const SystemRow& system, const Parameters& parameters, const Corpus& documents, const Index& index)
      : row(system), corpus(documents), slow_system(system.make(parameters)), fast_system(system.make(parameters)) {
    corpus.teach(*slow_system);
    teach(index, *fast_system);
  }

  [[nodiscard]] Ranked slow(const Line& query, std::size_t k, const std::vector<char>& chosen) const {
    Ranked out;
    for (const Hit& hit : rank_all(row, *slow_system, query, corpus, {.k = k, .chosen = chosen}).hits) {
      out.emplace_back(corpus.documents[hit.document].id, hit.voice, hit.score.value);
    }
    return out;
  }
  [[nodiscard]] Ranked fast(const Index& index, const Line& query, const SearchOptions& options) const {
    const auto id_of = [&](PieceKey key) { return corpus.documents[static_cast<std::size_t>(key) - 1].id; };
    Ranked out;
    SearchResult result;
    if (row.polyphonic) {
      Corpus rest;
      for (const PieceKey key : index.partial()) {
        rest.documents.push_back(corpus.documents[static_cast<std::size_t>(key) - 1]);
      }
      result = search(index, rest, row, *fast_system, query, options, id_of);
    } else {
      result = search(index, row, *fast_system, query, options, id_of);
    }
    for (const Found& hit : result.hits) out.emplace_back(id_of(hit.piece), hit.voice, hit.score.value);
    return out;
  }
};

/// Transport takes a thousand times as long as the others.
std::size_t documents_for(const SystemRow& row) {
  return static_cast<std::size_t>(row.name == "EMD" || row.name == "PTD" ? 6 + test::rounds(36) : test::rounds(150));
}

class QuickSystem : public testing::TestWithParam<std::string_view> {
 protected:
  void TearDown() override { EXPECT_TRUE(kernels::use_level("best")); }
};

TEST_P(QuickSystem, GivesTheListOfScoringEverythingWhateverTheMelodies) {
  const SystemRow& row = *find_system(GetParam());
  for (std::uint32_t round = 0; round < 4; ++round) {
    const Corpus corpus = hostile_corpus(round, round == 0 ? 12 : documents_for(row));
    const Index index = index_of(corpus, 1 + round % 3);
    const Comparison comparison(row, corpus, index);
    std::mt19937 random(round + 100);
    for (int q = 0; q < (test::kSanitized ? 4 : 8); ++q) {
      Line query = q % 2 == 0 ? hostile_line(random)
                              : transposed(corpus.documents[random() % corpus.documents.size()].voices.front(),
                                           below(random, 5) - 2);
      leave_open(row, random, query);
      // All, or one in three.
      std::vector<char> chosen;
      std::optional<std::vector<PieceKey>> among;
      if (q % 4 == 3) {
        among.emplace();
        for (std::size_t i = 0; i < corpus.documents.size(); ++i) {
          chosen.push_back(below(random, 3) == 0 ? 1 : 0);
          if (chosen.back() != 0) among->push_back(PieceKey{static_cast<std::int64_t>(i) + 1});
        }
      }
      const Ranked all = comparison.slow(query, 500, chosen);
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{500}}) {
        SearchOptions options{.k = k, .threads = 1 + round % 3};
        options.among = among;
        const Ranked expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())));
        EXPECT_EQ(comparison.fast(index, query, options), expected)
            << row.name << " " << round << " " << q << " k=" << k;
      }
    }
  }
}

TEST_P(QuickSystem, GivesTheListOfScoringEverythingAmongBeginnings) {
  const SystemRow& row = *find_system(GetParam());
  const Corpus corpus = hostile_corpus(41, documents_for(row));
  const Index index = index_of(corpus, 2);
  std::mt19937 random(42);
  for (const std::uint32_t notes : {3U, 6U, 10U, 15U, 20U}) {
    Corpus shown = corpus;
    for (Document& document : shown.documents) {
      for (Line& line : document.voices) keep_opening(line, notes);
      document.points = points_of(document.voices);
    }
    Comparison comparison(row, shown, index);
    // As the other one, it learns the whole melodies.
    comparison.slow_system = row.make(Parameters(row.parameters));
    corpus.teach(*comparison.slow_system);
    const Index opening = index.opening(notes);
    for (int q = 0; q < 4; ++q) {
      Line query =
          q % 2 == 0 ? hostile_line(random) : shown.documents[random() % shown.documents.size()].voices.front();
      leave_open(row, random, query);
      EXPECT_EQ(comparison.fast(opening, query, {.k = 10}), comparison.slow(query, 10, {}))
          << row.name << " " << notes << " " << q;
    }
  }
}

TEST_P(QuickSystem, GivesTheSameListAtEveryInstructionSet) {
  const SystemRow& row = *find_system(GetParam());
  const Corpus corpus = hostile_corpus(77, documents_for(row));
  const Index index = index_of(corpus, 1);
  const Comparison comparison(row, corpus, index);
  std::mt19937 random(5);
  for (int q = 0; q < 4; ++q) {
    const Line query = hostile_line(random);
    const Ranked expected = comparison.slow(query, 7, {});
    for (const std::string_view level : kernels::levels()) {
      ASSERT_TRUE(kernels::use_level(level));
      EXPECT_EQ(comparison.fast(index, query, {.k = 7}), expected) << row.name << " " << level << " query " << q;
    }
  }
}

constexpr std::size_t kSongs = test::kSanitized ? 60 : 400;

/// Real songs as documents.
class Songs final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    corpus.documents.push_back(make_document(piece));
    const std::size_t number = corpus.documents.size();
    corpus.documents.back().id = "song " + std::to_string(number);
    corpus.documents.back().key = PieceKey{static_cast<std::int64_t>(number)};
    return number < kSongs;
  }
  void warn(Diagnostic /*warning*/) override {}
  bool skip(Diagnostic /*why*/) override { return true; }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions options;
    options.file = name;
    (void)read_any(std::move(source), options, *this);
    return corpus.documents.size() < kSongs;
  }
  bool problem(Diagnostic /*why*/) override { return true; }
  Corpus corpus;
};

TEST_P(QuickSystem, GivesTheListOfScoringEverythingOnRealSongs) {
  RONDO_NEEDS_DATA("essen-abc");
  Songs songs;
  ASSERT_TRUE(open_path(rondo_data("essen-abc/altdeu10.abc"), songs));
  ASSERT_GT(songs.corpus.documents.size(), kSongs / 2);
  // index_of takes single voices for whole pieces; a song with chords would not be one.
  std::erase_if(songs.corpus.documents, [](const Document& song) {
    return song.voices.size() != 1 || song.voices.front().size() != song.points.points.size();
  });
  for (std::size_t i = 0; i < songs.corpus.documents.size(); ++i) {
    songs.corpus.documents[i].key = PieceKey{static_cast<std::int64_t>(i) + 1};
  }
  const SystemRow& row = *find_system(GetParam());
  const Index index = index_of(songs.corpus, 2);
  const Comparison comparison(row, songs.corpus, index);
  const std::vector<std::size_t> all = {3, 50, 90};
  for (const std::size_t like : std::span(all).first(test::rounds(all.size()))) {
    Line query = transposed(songs.corpus.documents[like].voices.front(), 2);
    const std::size_t notes = std::min<std::size_t>(20, query.size());
    query.pitch.resize(notes);
    query.base40.resize(notes);
    query.onset.resize(notes);
    query.duration.resize(notes);
    query.pitch[notes / 2] = static_cast<std::int16_t>(query.pitch[notes / 2] + 1);
    EXPECT_EQ(comparison.fast(index, query, {.k = 10}), comparison.slow(query, 10, {})) << row.name << " like " << like;
  }
}

TEST_P(QuickSystem, LeavesMostMelodiesUnscored) {
  if (test::kSanitized) GTEST_SKIP() << "a count, which is the same in every build";
  const SystemRow& row = *find_system(GetParam());
  Corpus corpus;
  const Generator generator(3);
  for (std::uint64_t i = 0; i < 1500; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  const Index index = index_of(corpus, 1);
  const Comparison comparison(row, corpus, index);
  const SearchResult result =
      search(index, row, *comparison.fast_system, corpus.documents[17].voices.front(), {.k = 1});
  EXPECT_NE(result.method, "exhaustive");
  EXPECT_LT(result.scored, corpus.documents.size() / 2);
}

TEST_P(QuickSystem, SearchesForThousandNotesByTheIndex) {
  if (test::kSanitized) GTEST_SKIP() << "nothing happens that others do not see";
  const SystemRow& row = *find_system(GetParam());
  Corpus corpus;
  const Generator generator(5);
  for (std::uint64_t i = 0; i < 10; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  const Index index = index_of(corpus, 1);
  const Comparison comparison(row, corpus, index);
  std::mt19937 random(7);
  // As many as a search takes.
  const Line query = made_of(
      1000, 16, [&](std::size_t) { return 55 + below(random, 20); },
      [&](std::size_t) { return std::int64_t{1} + below(random, 4); });
  EXPECT_NE(search(index, row, *comparison.fast_system, query, {.k = 3}).method, "exhaustive");
  EXPECT_EQ(comparison.fast(index, query, {.k = 3}), comparison.slow(query, 3, {}));
}

TEST(QuickGeometry, GivesTheListOfScoringEverythingWhereMelodiesAreLong) {
  std::mt19937 random(31);
  // Some in a few pitches, of which each is there more often than a byte can tell, some all over the keyboard.
  const auto melody = [&](std::size_t notes) {
    const unsigned range = random() % 2 == 0 ? 3 : 128;
    return made_of(
        notes, 16, [&](std::size_t) { return below(random, range) + (range == 3 ? 60 : 0); },
        [&](std::size_t) { return std::int64_t{1} + below(random, 3); });
  };
  Corpus corpus;
  for (const std::size_t notes : {1U, 2U, 40U, 65U, 255U, 300U, test::kSanitized ? 801U : 2001U}) {
    Document document;
    document.voices.push_back(melody(notes));
    document.points = points_of(document.voices);
    document.id = "of " + std::to_string(notes);
    document.key = PieceKey{static_cast<std::int64_t>(corpus.documents.size()) + 1};
    corpus.documents.push_back(std::move(document));
  }
  const Index index = index_of(corpus, 1);
  for (const char* name : {"P1", "P2", "P3"}) {
    const Comparison comparison(*find_system(name), corpus, index);
    const std::vector<std::size_t> queries = {255, 30, 256};
    for (const std::size_t notes : std::span(queries).first(test::rounds(queries.size()))) {
      const Line query = melody(notes);
      const Ranked all = comparison.slow(query, 20, {});
      EXPECT_EQ(comparison.fast(index, query, {.k = 20}), all) << name << " " << notes;
      EXPECT_EQ(comparison.fast(index, query, {.k = 1}), Ranked(all.begin(), all.begin() + (all.empty() ? 0 : 1)));
    }
    // One note, again and again.
    const Line drone = made_of(
        200, 16, [](std::size_t) { return 61; }, [](std::size_t) { return std::int64_t{1}; });
    EXPECT_EQ(comparison.fast(index, drone, {.k = 3}), comparison.slow(drone, 3, {})) << name;
  }
}

/// Few pitches and times, with grace notes; some notes are held while others begin, so that notes of one pitch overlap
/// and are joined before they are scored.
Line with_notes_at_once(std::mt19937& random, std::size_t notes) {
  VoiceBuilder builder;
  Fraction at;
  const auto pitch = [&] { return Pitch::from_midi(60 + 2 * below(random, 4)); };
  for (std::size_t i = 0; i < notes; ++i) {
    for (int graces = below(random, 4) - 1; graces > 0; --graces) {
      builder.grace(at, Fraction(1, std::array{4, 8, 16}[random() % 3]), pitch());
    }
    const Fraction duration(1 + below(random, 2), 16);
    builder.note(at, duration, pitch());
    at += duration;
  }
  Line line = make_line(builder.finish().value(), {.graces = true});
  for (std::int64_t& duration : line.duration) duration *= below(random, 5) == 0 ? 3 : 1;
  return line;
}

TEST(QuickGeometry, GivesTheListOfScoringEverythingWhereNotesBeginAtOnce) {
  std::mt19937 random(53);
  Corpus corpus;
  std::size_t joined = 0;
  for (int i = 0; i < test::rounds(400); ++i) {
    Document document;
    document.voices.push_back(with_notes_at_once(random, 4 + random() % 12));
    document.points = points_of(document.voices);
    joined += document.points.points.size() < document.voices.front().size() ? 1 : 0;
    document.id = "piece " + std::to_string(i);
    document.key = PieceKey{i + 1};
    corpus.documents.push_back(std::move(document));
  }
  EXPECT_GT(joined, corpus.documents.size() / 4);
  // Few are without such notes, and of the few documents under sanitizers perhaps none.
  if (!test::kSanitized) {
    EXPECT_LT(joined, corpus.documents.size());
  }
  const Index index = index_of(corpus, 2);
  for (const char* name : {"P1", "P2", "P3"}) {
    const Comparison comparison(*find_system(name), corpus, index);
    for (int q = 0; q < test::rounds(40); ++q) {
      Line query = q % 2 == 0 ? with_notes_at_once(random, 2 + random() % 12)
                              : transposed(corpus.documents[random() % corpus.documents.size()].voices.front(), 3);
      if (q % 4 == 3) keep_opening(query, 6);
      const Ranked all = comparison.slow(query, 500, {});
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{500}}) {
        const Ranked expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())));
        EXPECT_EQ(comparison.fast(index, query, {.k = k}), expected) << name << " " << q << " k=" << k;
      }
    }
  }
}

TEST(QuickGeometry, ScoresNoMelodyOneByOneWhereNotesBeginAtOnce) {
  std::mt19937 random(54);
  Corpus corpus;
  for (int i = 0; i < 100; ++i) {
    Document document;
    document.voices.push_back(with_notes_at_once(random, 4 + random() % 12));
    document.points = points_of(document.voices);
    document.id = "piece " + std::to_string(i);
    document.key = PieceKey{i + 1};
    corpus.documents.push_back(std::move(document));
  }
  const Index index = index_of(corpus, 1);
  const SystemRow& row = *find_system("P2");
  const Comparison comparison(row, corpus, index);
  const Line& query = corpus.documents[17].voices.front();
  const SearchResult result = search(index, row, *comparison.fast_system, query, {.k = 10});
  EXPECT_EQ(result.hits.size(), 10U);
  EXPECT_EQ(result.scored, 0U);
}

/// Pieces of melodies of the corpus behind each other, in other keys, with wrong notes and foreign ones between.
Line joined_from(std::mt19937& random, const Corpus& corpus, std::size_t notes) {
  std::vector<int> pitches;
  std::vector<std::int64_t> times;
  while (pitches.size() < notes) {
    const Line& from = corpus.documents[random() % corpus.documents.size()].voices.front();
    const int by = below(random, 9) - 4;
    const std::size_t some = 1 + random() % from.size();
    for (std::size_t i = 0; i < some && pitches.size() < notes; ++i) {
      const bool wrong = below(random, 12) == 0;
      pitches.push_back(std::clamp(from.pitch[i] + by + (wrong ? below(random, 5) - 2 : 0), 0, 127));
      times.push_back(wrong ? 1 + below(random, 8)
                            : std::max<std::int64_t>(1, from.duration[i] * 16 / from.ticks_per_whole));
    }
  }
  return made_of(
      notes, 16, [&](std::size_t i) { return pitches[i]; }, [&](std::size_t i) { return times[i]; });
}

class QuickWindows : public testing::TestWithParam<std::string_view> {};

TEST_P(QuickWindows, GiveTheListOfScoringEverythingWhateverTheLengthOfTheQuery) {
  // More than are aligned without lists; of many lengths, and some like each other.
  Corpus corpus = hostile_corpus(90, static_cast<std::size_t>(test::kSanitized ? 100 : 400));
  const Generator generator(7);
  for (std::uint64_t i = 0; i < 1100; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) {
    corpus.documents[i].id = "p" + std::to_string(i);
    corpus.documents[i].key = PieceKey{static_cast<std::int64_t>(i) + 1};
  }
  const Index index = index_of(corpus, 1);
  const Comparison comparison(*find_system(GetParam()), corpus, index);
  std::mt19937 random(91);
  for (const std::size_t notes : {20U, 40U, 100U, 350U}) {
    for (int q = 0; q < (test::kSanitized ? 1 : 3); ++q) {
      const Line query = joined_from(random, corpus, notes);
      const Ranked all = comparison.slow(query, 10, {});
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}}) {
        const Ranked expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())));
        EXPECT_EQ(comparison.fast(index, query, {.k = k}), expected)
            << GetParam() << ", " << notes << " notes, k=" << k;
      }
    }
  }
}

TEST_P(QuickWindows, GiveTheListOfScoringEverythingAmongBeginnings) {
  // Of one length there are several runs then.
  Corpus corpus = hostile_corpus(92, static_cast<std::size_t>(test::kSanitized ? 100 : 400));
  const Generator generator(8);
  for (std::uint64_t i = 0; i < 1100; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) {
    corpus.documents[i].id = "p" + std::to_string(i);
    corpus.documents[i].key = PieceKey{static_cast<std::int64_t>(i) + 1};
  }
  const Index index = index_of(corpus, 1);
  std::mt19937 random(93);
  for (const std::uint32_t notes : {8U, 15U}) {
    Corpus shown = corpus;
    for (Document& document : shown.documents) {
      for (Line& line : document.voices) keep_opening(line, notes);
    }
    Comparison comparison(*find_system(GetParam()), shown, index);
    comparison.slow_system = comparison.row.make(Parameters(comparison.row.parameters));
    corpus.teach(*comparison.slow_system);
    const Index opening = index.opening(notes);
    for (const std::size_t length : {10U, 20U, 40U}) {
      for (int q = 0; q < (test::kSanitized ? 1 : 4); ++q) {
        const Line query = joined_from(random, shown, length);
        EXPECT_EQ(comparison.fast(opening, query, {.k = 25}), comparison.slow(query, 25, {}))
            << GetParam() << ", " << length << " of " << notes;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Search, QuickWindows,
                         testing::Values("spline", "shapeh", "shapel", "shapeg", "time", "2010-pitchderiv",
                                         "2011-pitch"),
                         [](const auto& name) {
                           std::string out(name.param);
                           std::replace(out.begin(), out.end(), '-', '_');
                           return out;
                         });

TEST(QuickSequences, GiveTheListOfScoringEverythingWhereQueriesAreLong) {
  std::mt19937 random(32);
  // In few pitches nearly every window is in nearly every document, all over the keyboard in next to none.
  const auto melody = [&](std::size_t notes, unsigned range) {
    return made_of(
        notes, 16, [&](std::size_t) { return 60 + below(random, range); }, [](std::size_t) { return std::int64_t{1}; });
  };
  for (const unsigned range : {2U, 4U, 9U, 40U}) {
    Corpus corpus;
    const auto add = [&](Line line) {
      Document document;
      document.voices.push_back(std::move(line));
      document.points = points_of(document.voices);
      document.key = PieceKey{static_cast<std::int64_t>(corpus.documents.size()) + 1};
      document.id = "p" + std::to_string(random() % 1000) + "-" + std::to_string(corpus.documents.size());
      corpus.documents.push_back(std::move(document));
    };
    const Line query = melody(400, range);
    for (int i = 0; i < test::rounds(300); ++i) {
      Line line = melody(4 + random() % 30, range);
      // A part of the query at some place, perhaps with one note changed.
      if (i % 3 == 0) {
        const std::size_t from = random() % (query.size() - line.size());
        for (std::size_t n = 0; n < line.size(); ++n) line.pitch[n] = query.pitch[from + n];
        if (i % 2 == 0) ++line.pitch[random() % line.size()];
      }
      add(std::move(line));
    }
    // With more sequences in common than a byte can tell.
    add(query);
    add(transposed(query, 3));
    const Index index = index_of(corpus, 2);
    const Comparison comparison(*find_system("ngr5"), corpus, index);
    for (const std::size_t notes : {28U, 30U, 60U, 130U, 400U}) {
      const auto until = [&](const auto& all) {
        return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(notes));
      };
      Line some = query;
      some.pitch = until(query.pitch);
      some.base40 = until(query.base40);
      some.onset = until(query.onset);
      some.duration = until(query.duration);
      const Ranked all = comparison.slow(some, 500, {});
      for (const std::size_t k : {1U, 10U, 500U}) {
        const Ranked expected(all.begin(),
                              all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(k, all.size())));
        EXPECT_EQ(comparison.fast(index, some, {.k = k}), expected) << range << " " << notes << " k=" << k;
      }
    }
  }
}

/// Measures of all lengths, some without notes, and notes in the keys of a few chords; some melodies have no measures.
Line in_measures(std::mt19937& random, std::size_t notes) {
  VoiceBuilder builder;
  const bool barred = below(random, 5) != 0;
  const int measure = std::array{2, 3, 4, 6, 8, 16}[random() % 6];
  int tonic = 60;
  int eighths = 0;
  for (std::size_t i = 0; i < notes; ++i) {
    const int time = std::array{1, 1, 1, 2, 2, 4, 12}[random() % 7];
    if (below(random, 6) == 0) tonic = 60 + below(random, 12);
    builder.note(Fraction(eighths, 8), Fraction(time, 8),
                 Pitch::from_midi(tonic + std::array{0, 3, 4, 7, 12}[random() % 5]));
    eighths += time;
    if (barred && eighths % measure == 0) builder.bar(Fraction(eighths, 8));
  }
  return make_line(builder.finish().value());
}

TEST(QuickHarmony, GivesTheListOfScoringEverythingInWhateverMeasures) {
  std::mt19937 random(35);
  Corpus corpus;
  for (int i = 0; i < test::rounds(700); ++i) {
    Document document;
    document.voices.push_back(i % 5 != 4 || i < 10
                                  ? in_measures(random, 4 + random() % (i % 50 == 0 ? 200 : 30))
                                  : transposed(corpus.documents[random() % corpus.documents.size()].voices.front(), 1));
    document.points = points_of(document.voices);
    document.id = "p" + std::to_string(random() % 1000) + "-" + std::to_string(i);
    document.key = PieceKey{i + 1};
    corpus.documents.push_back(std::move(document));
  }
  const Index index = index_of(corpus, 2);
  const Comparison comparison(*find_system("opti3"), corpus, index);
  constexpr std::uint32_t kShown = 15;
  Corpus shown = corpus;
  for (Document& document : shown.documents) keep_opening(document.voices.front(), kShown);
  const Comparison of_openings(*find_system("opti3"), shown, index);
  const Index opening = index.opening(kShown);
  // More and more of the documents' keys are kept, by searches among beginnings as well.
  for (const std::size_t notes : {4U, 5U, 8U, 12U, 20U, 40U, 100U, 350U, 1200U, 9U, 30U}) {
    for (int q = 0; q < (test::kSanitized ? 1 : 3); ++q) {
      const Line query = q == 2 ? joined_from(random, corpus, notes) : in_measures(random, notes);
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}}) {
        EXPECT_EQ(of_openings.fast(opening, query, {.k = k}), of_openings.slow(query, k, {})) << notes << " k=" << k;
        EXPECT_EQ(comparison.fast(index, query, {.k = k}), comparison.slow(query, k, {})) << notes << " k=" << k;
      }
    }
  }
}

TEST(QuickLetters, GiveTheListOfScoringEverythingWithWhateverCosts) {
  std::mt19937 random(36);
  Corpus corpus = hostile_corpus(37, static_cast<std::size_t>(test::rounds(300)));
  // With more letters than can be paired in bytes.
  for (const std::size_t notes : {126U, 127U, 128U, 129U, 140U, 300U}) {
    Document document;
    document.voices.push_back(random_line(random, notes));
    document.points = points_of(document.voices);
    document.id = "of " + std::to_string(notes);
    document.key = PieceKey{static_cast<std::int64_t>(corpus.documents.size()) + 1};
    corpus.documents.push_back(std::move(document));
  }
  const Index index = index_of(corpus, 2);
  struct Costs {
    double insertion, deletion, to_neutral, opposite;
  };
  constexpr std::array kCosts = {Costs{1, 1, 1, 2},       Costs{0.5, 2, 1.25, 9}, Costs{0, 0, 0, 0},
                                 Costs{0, 1, 0.125, 1},   Costs{3, 0.25, 0, 50},  Costs{1, 1, 5, 0.5},
                                 Costs{16, 16, 1, 31.875}};
  for (const char* const name : {"contour", "rhythm"}) {
    const SystemRow& row = *find_system(name);
    for (const Costs& costs : kCosts) {
      Parameters parameters(row.parameters);
      ASSERT_TRUE(parameters.set("insert", costs.insertion));
      ASSERT_TRUE(parameters.set("delete", costs.deletion));
      ASSERT_TRUE(parameters.set("neutral", costs.to_neutral));
      ASSERT_TRUE(parameters.set("opposite", costs.opposite));
      const Comparison comparison(row, parameters, corpus, index);
      for (const std::size_t notes : {2U, 9U, 20U, 127U, 128U, 129U, 350U}) {
        const Line query = random_line(random, notes);
        const Ranked all = comparison.slow(query, 50, {});
        for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{50}}) {
          const Ranked expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())));
          EXPECT_EQ(comparison.fast(index, query, {.k = k}), expected)
              << name << ' ' << costs.insertion << ' ' << costs.opposite << ", " << notes << " notes, k=" << k;
        }
      }
    }
  }
}

TEST(QuickSystems, AskForTieBreaksWhereThereAreSome) {
  std::mt19937 random(38);
  std::size_t without = 0;
  for (const SystemRow* const row : systems()) {
    const auto system = row->make(Parameters(row->parameters));
    if (system->learns()) system->learn(random_line(random, 30));
    const auto prepared = system->prepare(random_line(random, 20));
    if (prepared->breaks_ties()) continue;
    ++without;
    for (int i = 0; i < 20; ++i) {
      const Line line = hostile_line(random);
      EXPECT_EQ(prepared->tie_break(line), 0) << row->name;
      EXPECT_EQ(prepared->tie_break(points_of({line})), 0) << row->name;
    }
  }
  EXPECT_GE(without, 2U);
}

INSTANTIATE_TEST_SUITE_P(Search, QuickSystem,
                         testing::Values("contour", "rhythm", "LDP", "P1", "P2", "P3", "PTD", "EMD", "GAM", "GAR",
                                         "mongeau-sankoff", "pioi", "opti3", "vk-pitch", "vk-band", "vk-phrase",
                                         "vk-metre", "vk-all", "Orio", "pattern", "pattern-contour", "pattern-rhythm"),
                         [](const auto& tested) {
                           std::string name(tested.param);
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace rondo
