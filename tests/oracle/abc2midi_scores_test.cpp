// A tune that abc2midi turned into MIDI, its notes a tick short, scores against the tune itself as the tune does; read
// with its ticks (--as-played) it does not.

#include <gmock/gmock.h>
#include <unistd.h>

#include "rondo/similarity/system.h"
#include "support/data.h"

namespace rondo::abc2midi_scores_test {
namespace {

namespace fs = std::filesystem;

struct Tune {
  Line itself;
  Line played;    ///< from abc2midi's file
  Line in_ticks;  ///< the same, as played
};

Line line_of_file(const fs::path& path, bool as_played) {
  CollectingSink sink;
  ReadOptions options;
  options.as_played = as_played;
  read_text("midi", slurp(path), sink, options);
  return sink.pieces.empty() ? Line{} : make_line(sink.pieces.front().voices.at(0));
}

/// Tunes of a file of hornpipes, as many as are wanted, without accompaniment.
std::vector<Tune> tunes(std::size_t wanted) {
  const fs::path folder = fs::temp_directory_path() / ("rondo-abc2midi-scores-" + std::to_string(getpid()));
  fs::create_directories(folder);
  CollectingSink abc;
  read_text("abc", slurp(rondo_data("nottingham/abc/hpps.abc")), abc);
  std::vector<Tune> out;
  std::ofstream all(folder / "all.abc", std::ios::binary);
  std::vector<Line> lines;
  for (Piece& piece : abc.pieces) {
    if (lines.size() == wanted || piece.voices.size() != 1 || !is_monophonic(piece.voices[0])) continue;
    std::erase_if(piece.voices[0].notes, [](const Note& note) { return note.grace; });
    const Line line = make_line(piece.voices[0]);
    piece.metadata = {};
    piece.metadata.fields = {{"number", std::to_string(lines.size() + 1)}};
    const auto text = find_format("abc")->write(piece);
    EXPECT_TRUE(text);
    all << *text << "\n";
    lines.push_back(line);
  }
  all.close();
  (void)std::system(("cd '" + folder.string() + "' && abc2midi all.abc -NGUI -NFNP -NFER >/dev/null 2>&1").c_str());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const fs::path file = folder / ("all" + std::to_string(i + 1) + ".mid");
    if (fs::exists(file)) out.push_back({lines[i], line_of_file(file, false), line_of_file(file, true)});
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return out;
}

Line beginning(Line line, std::size_t notes) {
  keep_opening(line, notes);
  return line;
}

double score_by(const char* name, const Line& query, const Line& document) {
  const SystemRow* row = find_system(name);
  return row->make(Parameters(row->parameters))->prepare(query)->score(document).value;
}

#define RONDO_NEEDS_ABC2MIDI()    \
  RONDO_NEEDS_DATA("nottingham"); \
  if (std::system("command -v abc2midi >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs abc2midi (package abcmidi)"

TEST(Abc2midiScores, MongeauAndSankoffFindNoDifference) {
  RONDO_NEEDS_ABC2MIDI();
  const std::vector<Tune> all = tunes(10);
  ASSERT_EQ(all.size(), 10U);
  for (const Tune& tune : all) {
    EXPECT_EQ(score_by("mongeau-sankoff", tune.itself, tune.played),
              score_by("mongeau-sankoff", tune.itself, tune.itself));
    EXPECT_LT(score_by("mongeau-sankoff", tune.itself, tune.in_ticks),
              score_by("mongeau-sankoff", tune.itself, tune.itself));
  }
}

TEST(Abc2midiScores, GamFindsTheTuneInAllTenQueries) {
  RONDO_NEEDS_ABC2MIDI();
  const std::vector<Tune> all = tunes(10);
  ASSERT_EQ(all.size(), 10U);
  const auto found = [&](Line Tune::*reading) {
    std::size_t first = 0;
    for (std::size_t query = 0; query < all.size(); ++query) {
      std::size_t best = 0;
      double most = -1e300;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double score = score_by("GAM", beginning(all[query].*reading, 24), beginning(all[i].itself, 24));
        if (score <= most) continue;
        most = score;
        best = i;
      }
      first += best == query ? 1 : 0;
    }
    return first;
  };
  EXPECT_EQ(found(&Tune::played), 10U);
  std::cout << "as played: " << found(&Tune::in_ticks) << " of 10\n";
}

TEST(Abc2midiScores, TimesAreThoseOfTheTune) {
  RONDO_NEEDS_ABC2MIDI();
  for (const Tune& tune : tunes(10)) {
    const Line& itself = tune.itself;
    const Line& played = tune.played;
    ASSERT_EQ(played.size(), itself.size());
    for (std::size_t i = 0; i < itself.size(); ++i) {
      EXPECT_EQ(played.onset[i] * itself.ticks_per_whole, itself.onset[i] * played.ticks_per_whole);
      EXPECT_EQ(played.duration[i] * itself.ticks_per_whole, itself.duration[i] * played.ticks_per_whole);
    }
  }
}

}  // namespace
}  // namespace rondo::abc2midi_scores_test
