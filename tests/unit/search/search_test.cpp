#include "search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "generate/generate.h"
#include "search/kernels/level.h"
#include "search/rank.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo::search_test {

/// Random melodies, many of them alike, some in several voices, some too short for anything.
Corpus random_corpus(std::uint32_t seed, std::size_t pieces) {
  std::mt19937 random(seed);
  Corpus corpus;
  const Generator generator(seed);
  for (std::size_t i = 0; i < pieces; ++i) {
    Document document;
    if (random() % 3 == 0) {
      document = make_document(generator.piece(i / 3));
    } else {
      const std::size_t voices = 1 + random() % 8 / 6;
      for (std::size_t v = 0; v < voices; ++v) document.voices.push_back(random_line(random, random() % 30));
    }
    document.id = "p" + std::to_string(random() % 1000) + "-" + std::to_string(i);
    corpus.documents.push_back(std::move(document));
  }
  return corpus;
}

using Ranked = std::vector<std::tuple<std::string, std::uint32_t, double>>;

/// The systems that compare single voices, and that an index can be searched with.
std::vector<const SystemRow*> searchable() {
  std::vector<const SystemRow*> out;
  for (const SystemRow* row : systems()) {
    if (!row->polyphonic) out.push_back(row);
  }
  return out;
}

class EverySystem : public testing::TestWithParam<const SystemRow*> {
 protected:
  /// Systems with a path of their own through the index; the others only need to be seen to go through it unharmed.
  [[nodiscard]] static bool special(const SystemRow& row) {
    const auto made = row.make(Parameters(row.parameters));
    const SearchPlan plan = made->plan();
    return std::holds_alternative<WindowPlan>(plan) || std::holds_alternative<EditPlan>(plan) ||
           std::holds_alternative<SharedIntervalsPlan>(plan);
  }
  static Ranked slow(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                     std::size_t k) {
    Ranked out;
    for (const Hit& hit : rank_all(row, system, query, corpus, {.k = k}).hits) {
      out.emplace_back(corpus.documents[hit.document].id, hit.voice, hit.score.value);
    }
    return out;
  }
  /// Of many documents the sanitizer build sees only how the fast path takes them.
  static std::optional<Ranked> slow_unless_sanitized(const SystemRow& row, const System& system, const Line& query,
                                                     const Corpus& corpus, std::size_t k) {
    if (test::kSanitized) return std::nullopt;
    return slow(row, system, query, corpus, k);
  }
  static Ranked first(Ranked hits, std::size_t k) {
    if (hits.size() > k) hits.resize(k);
    return hits;
  }
  static Ranked fast(const SystemRow& row, const System& system, const Line& query, const Corpus& corpus,
                     const Index& index, const SearchOptions& options) {
    Ranked out;
    for (const Found& hit : search(index, row, system, query, options).hits) {
      const auto number = static_cast<std::size_t>(hit.piece) - 1;  // Index::of counts pieces from 1
      out.emplace_back(corpus.documents[number].id, hit.voice, hit.score.value);
    }
    return out;
  }
};

TEST_P(EverySystem, FindsWhatScoringEverythingFinds) {
  const SystemRow& row = *GetParam();
  for (std::uint32_t round = 0; round < (special(row) ? 4 : 1); ++round) {
    const Corpus corpus =
        random_corpus(round, special(row) && round > 0 ? static_cast<std::size_t>(test::rounds(300)) : 40);
    const Index index = Index::of(corpus).value();
    const auto learnt_slowly = row.make(Parameters(row.parameters));
    corpus.teach(*learnt_slowly);
    const auto learnt_at_once = row.make(Parameters(row.parameters));
    teach(index, *learnt_at_once);
    std::mt19937 random(round);
    for (int q = 0; q < (test::kSanitized ? 2 : 6); ++q) {
      const Document& like = corpus.documents[random() % corpus.documents.size()];
      const Line query = q % 2 == 0 || like.voices.empty() ? random_line(random, random() % 25) : like.voices.front();
      const Ranked all = slow(row, *learnt_slowly, query, corpus, 100);
      // The first hits of a mixture depend on how many are wanted.
      const bool mixture = learnt_slowly->mixture() != nullptr;
      for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{100}}) {
        EXPECT_EQ(mixture ? slow(row, *learnt_slowly, query, corpus, k) : first(all, k),
                  fast(row, *learnt_at_once, query, corpus, index, {.k = k, .threads = 1 + round % 3}))
            << row.name << " round " << round << " query " << q << " k " << k;
      }
    }
  }
}

TEST_P(EverySystem, WithALeastScoreGivesThePartOfTheListThatReachesIt) {
  const SystemRow& row = *GetParam();
  const Corpus corpus = random_corpus(3, static_cast<std::size_t>(test::rounds(200)));
  const Index index = Index::of(corpus).value();
  const auto system = row.make(Parameters(row.parameters));
  corpus.teach(*system);
  std::mt19937 random(3);
  for (int q = 0; q < (test::kSanitized ? 1 : 4); ++q) {
    const Line query = make_document(Generator(3).piece(random() % 60)).voices.front();
    for (const std::size_t k : {std::size_t{5}, std::size_t{1000}}) {
      const Ranked all = fast(row, *system, query, corpus, index, {.k = k});
      for (const std::size_t place : {std::size_t{0}, all.size() / 3, all.size()}) {
        // Exactly the score of a hit, or more than any has.
        const double least = place < all.size() ? std::get<double>(all[place])
                             : all.empty()      ? 0
                                                : std::get<double>(all.front()) + 1;
        Ranked wanted = all;
        std::erase_if(wanted, [&](const auto& hit) { return std::get<double>(hit) < least; });
        EXPECT_EQ(
            fast(row, *system, query, corpus, index, {.k = k, .threads = q % 2 == 0 ? 1U : 2U, .least_score = least}),
            wanted)
            << row.name << " query " << q << " k " << k << " least " << least;
      }
    }
  }
}

TEST_P(EverySystem, FindsTheSameAmongSoManyThatListsArePreferred) {
  const SystemRow& row = *GetParam();
  if (!special(row)) return;
  // The same for every system: where all run in one program, it is made once.
  static const Corpus corpus = random_corpus(9, 1100 + static_cast<std::size_t>(test::rounds(700)));
  static const Index index = Index::of(corpus).value();
  const auto system = row.make(Parameters(row.parameters));
  corpus.teach(*system);
  std::mt19937 random(9);
  for (int q = 0; q < test::rounds(6); ++q) {
    // A melody that somebody remembers badly: of all that is like it there, some is near the bar.
    Line query = make_document(Generator(9).piece(random() % 300)).voices.front();
    for (std::int16_t& pitch : query.pitch) pitch = static_cast<std::int16_t>(pitch + (random() % 8 == 0 ? 1 : 0));
    const std::optional<Ranked> expected = slow_unless_sanitized(row, *system, query, corpus, 10);
    for (const std::size_t k : {std::size_t{1}, std::size_t{10}}) {
      const Ranked found = fast(row, *system, query, corpus, index, {.k = k, .threads = k == 1 ? 2U : 1U});
      EXPECT_EQ(found, first(expected.value_or(found), k)) << row.name << " query " << q << " k " << k;
    }
  }
}

TEST_P(EverySystem, FindsTheSameForQueriesFarLongerThanMelodies) {
  const SystemRow& row = *GetParam();
  const SearchPlan plan = row.make(Parameters(row.parameters))->plan();
  if (!special(row) && !std::holds_alternative<Opti3Plan>(plan) && !std::holds_alternative<RondoPlan>(plan)) return;
  static const Corpus corpus = random_corpus(11, 1100 + static_cast<std::size_t>(test::rounds(300)));
  static const Index index = Index::of(corpus).value();
  const auto system = row.make(Parameters(row.parameters));
  corpus.teach(*system);
  std::mt19937 random(11);
  for (const std::size_t notes : {std::size_t{45}, std::size_t{110}, std::size_t{360}}) {
    // What somebody has is somewhere in it: at its beginning, soon after it, or late.
    for (const std::size_t from : {std::size_t{4}, std::size_t{0}, notes - 30}) {
      if (test::kSanitized && from != 4) break;
      Line query = random_line(random, notes);
      const Line like = make_document(Generator(11).piece(random() % 300)).voices.front();
      for (std::size_t i = 0; i < like.size() && from + i < notes; ++i) {
        query.pitch[from + i] = like.pitch[i];
        query.base40[from + i] = like.base40[i];
      }
      const Ranked found = fast(row, *system, query, corpus, index, {.k = 10});
      EXPECT_EQ(found, slow_unless_sanitized(row, *system, query, corpus, 10).value_or(found))
          << row.name << " " << notes << " notes, from " << from;
    }
  }
}

/// Appends a note.
void add_note(Line& line, int pitch) {
  const std::int64_t at = line.size() == 0 ? 0 : line.onset.back() + line.duration.back();
  line.pitch.push_back(static_cast<std::int16_t>(pitch));
  line.base40.push_back(static_cast<std::int16_t>(Pitch::from_midi(pitch).base40()));
  line.onset.push_back(at);
  line.duration.push_back(line.ticks_per_whole);
}

/// Appends parts of melodies of a corpus, each a semitone higher or lower and with a wrong note at times; between them
/// one note again and again, or leaps that nobody has.
Line medley(const Corpus& corpus, std::mt19937& random, std::size_t notes) {
  Line out;
  while (out.size() < notes) {
    const Line& like = corpus.documents[random() % corpus.documents.size()].voices.front();
    const int move = static_cast<int>(random() % 3) - 1;
    for (std::size_t i = random() % 5; i < like.size() && out.size() < notes; ++i) {
      add_note(out, like.pitch[i] + move + (random() % 12 == 0 ? 2 : 0));
    }
    const bool leaps = random() % 2 == 0;
    for (std::size_t i = random() % 6; i > 0 && out.size() < notes; --i) add_note(out, leaps && i % 2 == 0 ? 115 : 31);
  }
  return out;
}

struct Medleys {
  explicit Medleys(std::size_t pieces) {
    const Generator generator(12);
    for (std::size_t i = 0; corpus.documents.size() < pieces; ++i) {
      Document document = make_document(generator.piece(i));
      document.id = "p" + std::to_string(i % 97) + "-" + std::to_string(i);
      keep_opening(document.voices.front(), i % 16 == 0 ? 9 : 20);
      corpus.documents.push_back(std::move(document));
    }
    std::mt19937 random(12);
    // One is as long as the queries; alignments with it go on for longer than with any other.
    const std::size_t longest = test::kSanitized ? 120 : 350;
    corpus.documents[7].voices.front() = medley(corpus, random, longest - longest / 7);
    index = Index::of(corpus).value();
    for (const std::size_t notes : {std::size_t{40}, std::size_t{100}, longest}) {
      queries.push_back(medley(corpus, random, notes));
    }
    queries.push_back(corpus.documents[7].voices.front());
    for (const int leap : {0, 84}) {
      Line& same = queries.emplace_back();
      for (int i = 0; i < 100; ++i) add_note(same, i % 2 == 0 ? 20 : 20 + leap);
    }
  }

  Corpus corpus;
  std::optional<Index> index;
  std::vector<Line> queries;
};

TEST_P(EverySystem, FindsTheSameForLongMedleys) {
  const SystemRow& row = *GetParam();
  const bool is_ldp = std::holds_alternative<PitchEditPlan>(row.make(Parameters(row.parameters))->plan());
  if (!special(row) && !is_ldp) return;
  static std::map<bool, Medleys> made;
  const std::size_t pieces = is_ldp ? 150 : 1100 + static_cast<std::size_t>(test::rounds(400));
  const auto& [corpus, index, queries] = made.try_emplace(is_ldp, pieces).first->second;
  const auto system = row.make(Parameters(row.parameters));
  corpus.teach(*system);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const std::optional<Ranked> all = slow_unless_sanitized(row, *system, queries[q], corpus, 60);
    for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{60}}) {
      const Ranked found = fast(row, *system, queries[q], corpus, *index, {.k = k, .threads = k == 10 ? 2U : 1U});
      EXPECT_EQ(found, first(all.value_or(found), k)) << row.name << " query " << q << " k " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Search, EverySystem, testing::ValuesIn(searchable()), [](const auto& tested) {
  std::string name(tested.param->name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace rondo::search_test
