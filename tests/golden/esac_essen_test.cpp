// The Essen collection was encoded in EsAC. Its songs, which lie here as ABC, are written in that code and come back
// the same. That other programs read the code so is tested in tests/oracle/written_test.cpp.

#include <gmock/gmock.h>

#include "support/data.h"
#include "support/show_voice.h"

namespace rondo::esac_essen_test {

TEST(EsacEssen, AllSongsComeBackWithNotesBarsAndMetadata) {
  RONDO_NEEDS_DATA("essen-abc");
  std::size_t songs = 0;
  std::size_t same_bars = 0;
  for (const auto& path : files_below(rondo_data("essen-abc"), ".abc")) {
    CollectingSink abc;
    ReadOptions options;
    options.keep_source = false;
    options.file = path.filename().string();
    read_text("abc", slurp(path), abc, options);
    std::string text;
    for (const Piece& piece : abc.pieces) {
      auto one = find_format("esac")->write(piece);
      ASSERT_TRUE(one) << one.error().to_string();
      text += *one + "\n";
    }
    CollectingSink esac;
    read_text("esac", text, esac, options);
    EXPECT_THAT(esac.warnings, testing::IsEmpty());
    ASSERT_EQ(esac.pieces.size(), abc.pieces.size()) << path;
    for (std::size_t i = 0; i < esac.pieces.size(); ++i) {
      const Voice& before = abc.pieces[i].voices.at(0);
      const Voice& behind = esac.pieces[i].voices.at(0);
      EXPECT_EQ(esac.pieces[i].id, abc.pieces[i].id);
      EXPECT_EQ(behind.notes, before.notes) << esac.pieces[i].id;
      EXPECT_EQ(behind.length, before.length) << esac.pieces[i].id;
      EXPECT_EQ(esac.pieces[i].metadata, abc.pieces[i].metadata) << esac.pieces[i].id;
      same_bars += behind.bars == before.bars ? 1U : 0U;
      ++songs;
    }
  }
  EXPECT_GE(songs, 8500U);
  EXPECT_GE(same_bars * 1000, songs * 995);
  std::cout << songs << " songs, bars of " << same_bars << " the same\n";
}

}  // namespace rondo::esac_essen_test
