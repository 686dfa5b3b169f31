#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "generate/generate.h"
#include "rondo/formats/open.h"
#include "rondo/search/service.h"
#include "support/data.h"
#include "support/rounds.h"
#include "support/scratch.h"
#include "support/small_world.h"

/// The same music in another form has the same list, to the last bit, where the system promises it: transposed, in
/// other note values, imported in another order, cut into parts, written to a file and read again. No expected list is
/// needed for that, so it is tried on real incipits.
namespace rondo::metamorphic_test {
namespace {

constexpr std::size_t kReal = test::kSanitized ? 25 : 300;
constexpr std::size_t kGenerated = test::kSanitized ? 15 : 150;
constexpr std::size_t kHits = 25;

/// Incipits of one voice, so that every system hears all of a piece.
class Incipits final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    const bool one = piece.voices.size() == 1 && is_monophonic(piece.voices.front());
    const std::size_t notes = one ? piece.voices.front().notes.size() : 0;
    if (notes >= 4 && notes <= 60 && ++seen_ % 7 == 0) pieces.push_back(std::move(piece));
    return pieces.size() < kReal;
  }
  void warn(Diagnostic /*warning*/) override {}
  bool skip(Diagnostic /*why*/) override { return true; }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions options;
    options.file = name;
    (void)read_any(std::move(source), options, *this);
    return pieces.size() < kReal;
  }
  bool problem(Diagnostic /*why*/) override { return true; }
  std::vector<Piece> pieces;

 private:
  std::size_t seen_ = 0;
};

std::vector<Piece> incipits() {
  Incipits real;
  EXPECT_TRUE(open_path(rondo_data("rism/brno.xml.gz"), real));
  EXPECT_EQ(real.pieces.size(), kReal);
  const Generator generator(21);
  for (std::uint64_t i = 0; i < kGenerated; ++i) real.pieces.push_back(generator.piece(i));
  return std::move(real.pieces);
}

/// Up by so many steps of the staff and semitones.
Voice transposed(Voice voice, int steps, int semitones) {
  for (Note& note : voice.notes) {
    const int staff = note.pitch.diatonic() + steps;
    Pitch moved;
    moved.octave = static_cast<std::int8_t>(staff / 7);
    moved.step = static_cast<std::int8_t>(staff % 7);
    moved.alter = static_cast<std::int8_t>(note.pitch.midi() + semitones - moved.midi());
    note.pitch = moved;
  }
  voice.keys.clear();
  voice.key_signatures.clear();
  return voice;
}

/// All times times `factor`.
Voice in_other_values(Voice voice, Fraction factor) {
  const auto change = [&](auto& changes) {
    for (auto& one : changes) one.onset = one.onset * factor;
  };
  for (Note& note : voice.notes) {
    note.onset = note.onset * factor;
    note.duration = note.duration * factor;
  }
  for (Fraction& bar : voice.bars) bar = bar * factor;
  change(voice.clefs);
  change(voice.key_signatures);
  change(voice.keys);
  voice.times.clear();
  voice.length = voice.length * factor;
  return voice;
}

using List = std::vector<std::pair<std::string, std::uint64_t>>;

std::string in_words(const List& list, std::size_t hit) {
  if (hit >= list.size()) return "the end";
  return list[hit].first + " with " + testing::PrintToString(std::bit_cast<double>(list[hit].second));
}

/// Pieces in a collection, and its lists.
class Searched {
 public:
  explicit Searched(const std::vector<Piece>& pieces) { add(pieces); }

  void add(const std::vector<Piece>& pieces) {
    auto batch = collection_.begin().value();
    for (const Piece& piece : pieces) EXPECT_TRUE(collection_.put(piece)) << piece.id;
    EXPECT_TRUE(batch.commit());
    snapshot_ = CollectionSnapshot::open(collection_).value();
  }
  void remove(const std::string& id) { EXPECT_TRUE(collection_.remove(id).value()); }
  void reopen() { snapshot_ = CollectionSnapshot::open(collection_).value(); }

  [[nodiscard]] List list(const std::string& system, const Voice& query, std::size_t k = kHits) {
    SearchRequest request;
    request.query = query;
    request.system = system;
    request.k = k;
    auto answer = snapshot_->search(collection_, request);
    List out;
    if (!answer) return {{answer.error().code, 0}};
    for (const Found& hit : answer->result.hits) {
      out.emplace_back(collection_.id_of(hit.piece).value(), std::bit_cast<std::uint64_t>(hit.score.value + 0.0));
    }
    return out;
  }

 private:
  Scratch folder_;
  Collection collection_ = Collection::open(folder_ / "c.db", OpenMode::create).value();
  std::shared_ptr<CollectionSnapshot> snapshot_;
};

/// Whether equal scores are ordered by a rule of the system, which may compare absolute pitches: similarity.md,
/// section 1. What is invariant is the score (Invariances).
bool has_own_tie_rule(const SystemRow& row, const Voice& query) {
  const auto system = row.make(Parameters(row.parameters));
  return system->mixture() != nullptr || system->prepare(make_line(query))->breaks_ties();
}

/// A list without the order of equal scores: the last ones, some of which may have been cut off, only by their scores.
List without_order_of_ties(List list) {
  if (list.empty()) return list;
  const std::uint64_t last = list.back().second;
  for (auto& [id, score] : list) {
    if (score == last) id.clear();
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    const auto score = std::bit_cast<double>(a.second);
    const auto other = std::bit_cast<double>(b.second);
    return score != other ? score > other : a.first < b.first;
  });
  return list;
}

/// The music as it is, and its lists.
struct Metamorphic : testing::Test {
  std::vector<Piece> pieces;
  std::vector<Voice> queries;
  std::optional<Searched> as_it_is;
  std::map<std::pair<std::string, std::size_t>, List> lists{};
  std::size_t compared = 0;

  void SetUp() override {
    RONDO_NEEDS_DATA("rism");
    pieces = incipits();
    as_it_is.emplace(pieces);
    // Whole incipits, which find themselves, and beginnings.
    for (const std::size_t number : {5U, 14U, 23U, 31U}) {
      Voice query = pieces[number * (pieces.size() / 40)].voices.front();
      if (number % 2 == 0 && query.notes.size() > 8) query.notes.resize(8);
      queries.push_back(std::move(query));
    }
  }
  void TearDown() override {
    if (!IsSkipped()) {
      EXPECT_GT(compared, 20U);
    }
  }

  static bool is_slow(const SystemRow& row) { return row.name == "EMD" || row.name == "PTD"; }
  [[nodiscard]] std::size_t queries_for(const SystemRow& row) const {
    return is_slow(row) || test::kSanitized ? 1 : queries.size();
  }

  const List& list_as_it_is(const SystemRow& row, std::size_t query) {
    List& list = lists[{std::string(row.name), query}];
    if (list.empty()) list = as_it_is->list(std::string(row.name), queries[query]);
    return list;
  }
  void same(const SystemRow& row, const std::string& how, const List& found, const List& wanted) {
    ++compared;
    const auto place = static_cast<std::size_t>(
        std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end()).first - found.begin());
    EXPECT_TRUE(found == wanted) << row.name << ", " << how << ": hit " << place << " is " << in_words(found, place)
                                 << ", not " << in_words(wanted, place);
  }

  /// Whether each system for which `promised` holds has the same lists for changed queries in a changed collection.
  /// `ties`: also the order of equal scores, whatever the system's own rule for it.
  template <typename Promised, typename Change>
  void same_lists(Searched& other, const std::string& how, const Promised& promised, const Change& change,
                  bool ties = true) {
    std::size_t without_promise = 0;
    std::size_t changed = 0;
    for (const SystemRow* row : systems()) {
      for (std::size_t q = 0; q < queries_for(*row); ++q) {
        const List found = other.list(std::string(row->name), change(queries[q]));
        const List& wanted = list_as_it_is(*row, q);
        if (!promised(*row)) {
          ++without_promise;
          changed += found != wanted ? 1 : 0;
        } else if (ties || !has_own_tie_rule(*row, queries[q])) {
          same(*row, how, found, wanted);
        } else {
          same(*row, how, without_order_of_ties(found), without_order_of_ties(wanted));
        }
      }
    }
    EXPECT_TRUE(without_promise == 0 || changed > 0) << how << ": nothing was changed";
  }
};

constexpr auto kEvery = [](const SystemRow& /*row*/) { return true; };
constexpr auto kTransposition = [](const SystemRow& row) { return row.invariant.transposition; };
constexpr auto kTempo = [](const SystemRow& row) { return row.invariant.tempo; };
constexpr auto kAsItIs = [](const Voice& voice) { return voice; };

TEST_F(Metamorphic, ATransposedQueryHasTheSameList) {
  same_lists(
      *as_it_is, "up a tone", kTransposition, [](const Voice& voice) { return transposed(voice, 1, 2); }, false);
  same_lists(
      *as_it_is, "down a fifth", kTransposition, [](const Voice& voice) { return transposed(voice, -4, -7); }, false);
}

TEST_F(Metamorphic, ACollectionTransposedPieceByPieceHasTheSameLists) {
  std::vector<Piece> moved = pieces;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    constexpr std::pair<int, int> kIntervals[] = {{0, 0}, {1, 2}, {-1, -2}, {3, 5}, {-4, -7}, {7, 12}};
    const auto [steps, semitones] = kIntervals[i % std::size(kIntervals)];
    moved[i].voices.front() = transposed(moved[i].voices.front(), steps, semitones);
  }
  Searched other(moved);
  same_lists(other, "transposed", kTransposition, kAsItIs, false);
}

TEST_F(Metamorphic, AQueryInOtherNoteValuesHasTheSameList) {
  same_lists(*as_it_is, "doubled", kTempo, [](const Voice& voice) { return in_other_values(voice, Fraction(2)); });
  same_lists(*as_it_is, "halved", kTempo, [](const Voice& voice) { return in_other_values(voice, Fraction(1, 2)); });
}

TEST_F(Metamorphic, ACollectionInOtherNoteValuesHasTheSameLists) {
  std::vector<Piece> other_values = pieces;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Fraction factors[] = {Fraction(1), Fraction(2), Fraction(1, 2), Fraction(4)};
    other_values[i].voices.front() = in_other_values(pieces[i].voices.front(), factors[i % 4]);
  }
  Searched other(other_values);
  same_lists(other, "in other note values", kTempo, kAsItIs);
}

TEST_F(Metamorphic, TheOrderOfTheImportDoesNotMatter) {
  std::vector<Piece> permuted;
  for (const std::size_t i : test::shuffled(pieces.size(), 77)) permuted.push_back(pieces[i]);
  Searched other(permuted);
  same_lists(other, "imported in another order", kEvery, kAsItIs);
}

TEST_F(Metamorphic, SeveralImportsAndRemovalsLeaveTheSameLists) {
  // In five parts, each with pieces that do not stay; the index is updated after each.
  std::vector<Piece> first(pieces.begin(), pieces.begin() + 7);
  Searched other(first);
  const std::size_t parts = 5;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Piece> some;
    for (std::size_t i = 7 + part; i < pieces.size(); i += parts) {
      some.push_back(pieces[i]);
      if (i % 3 != 0) continue;
      some.push_back(pieces[i]);
      some.back().id += " that goes";
      some.push_back(pieces[(i * 5) % pieces.size()]);
      some.back().id = pieces[i].id;  // to be replaced by the next
      some.push_back(pieces[i]);
    }
    other.add(some);
    for (std::size_t i = 7 + part; i < pieces.size(); i += parts) {
      if (i % 3 == 0) other.remove(pieces[i].id + " that goes");
    }
    other.reopen();
  }
  same_lists(other, "imported in parts", kEvery, kAsItIs);
}

/// Whether what a system says about two melodies depends on the other melodies of the collection.
bool learns(const SystemRow& row) {
  const auto system = row.make(Parameters(row.parameters));
  return system->learns() || system->mixture() != nullptr;
}

TEST_F(Metamorphic, ListsOfShardsMergeToTheListOfTheWhole) {
  std::vector<std::vector<Piece>> parts(3);
  for (std::size_t i = 0; i < pieces.size(); ++i) parts[i * i % 3 == 0 ? 0 : 1 + i % 2].push_back(pieces[i]);
  Searched a(parts[0]);
  Searched b(parts[1]);
  Searched c(parts[2]);
  for (const SystemRow* row : systems()) {
    if (learns(*row)) continue;
    for (std::size_t q = 0; q < queries_for(*row); ++q) {
      const List& whole = list_as_it_is(*row, q);
      // Between equal scores a shard decides by rules that its list does not show.
      List merged;
      for (Searched* shard : {&a, &b, &c}) {
        const List part = shard->list(std::string(row->name), queries[q]);
        merged.insert(merged.end(), part.begin(), part.end());
      }
      std::stable_sort(merged.begin(), merged.end(), [](const auto& x, const auto& y) {
        return std::bit_cast<double>(x.second) > std::bit_cast<double>(y.second);
      });
      if (merged.size() > kHits) merged.resize(kHits);
      same(*row, "merged from shards", without_order_of_ties(merged), without_order_of_ties(whole));
    }
  }
}

/// Writes pieces in a format and reads them again, each under its own id; nothing for those that it cannot write.
std::vector<Piece> through(const Format& format, const std::vector<Piece>& pieces) {
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    auto text = format.write(piece);
    if (!text) continue;
    CollectingSink sink;
    read_text(format.name, *text, sink);
    EXPECT_EQ(sink.pieces.size(), 1U) << format.name << ", " << piece.id;
    if (sink.pieces.size() != 1) continue;
    out.push_back(std::move(sink.pieces.front()));
    out.back().id = piece.id;
  }
  return out;
}

bool same_times(const Line& a, const Line& b) {
  return a.onset == b.onset && a.duration == b.duration && a.ticks_per_whole == b.ticks_per_whole;
}

TEST_F(Metamorphic, PiecesWrittenAndReadAgainHaveTheSameLists) {
  // Systems that compare spelled pitches.
  const std::set<std::string_view> spelled = {"EMD", "PTD", "vk-pitch", "vk-band", "vk-phrase", "vk-metre", "vk-all"};
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    const std::vector<Piece> again = through(format, pieces);
    // What a format does not keep as it was heard, has to be heard by nobody here.
    std::vector<Piece> before;
    std::vector<Piece> after;
    bool bars = true;
    bool spelling = true;
    for (const Piece& piece : again) {
      const auto from =
          std::find_if(pieces.begin(), pieces.end(), [&](const Piece& one) { return one.id == piece.id; });
      if (piece.voices.size() != 1) continue;
      const Line a = make_line(from->voices.front());
      const Line b = make_line(piece.voices.front());
      if (a.pitch != b.pitch || !same_times(a, b)) continue;
      bars = bars && a.bars == b.bars;
      spelling = spelling && a.base40 == b.base40;
      before.push_back(*from);
      after.push_back(piece);
    }
    EXPECT_GT(before.size(), pieces.size() * 9 / 10) << format.name << " keeps pitches and times of nearly all";
    Searched one(before);
    Searched other(after);
    for (const SystemRow* row : systems()) {
      if (!spelling && spelled.count(row->name) == 1) continue;
      if (!bars && row->name == "opti3") continue;
      for (std::size_t q = 0; q < std::min<std::size_t>(2, queries_for(*row)); ++q) {
        const std::string name(row->name);
        same(*row, "through " + std::string(format.name), other.list(name, queries[q]), one.list(name, queries[q]));
      }
    }
  }
}

}  // namespace
}  // namespace rondo::metamorphic_test
