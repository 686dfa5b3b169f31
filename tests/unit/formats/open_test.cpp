#include "rondo/formats/open.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <filesystem>
#include <fstream>

#include "base/streams.h"
#include "support/data.h"

namespace rondo::open_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using Files = std::vector<std::pair<std::string, std::string>>;

/// Packs files into one archive in memory, with libarchive as another program would.
std::string packed(const Files& files, bool gzip, bool store = false) {
  std::string out(std::size_t{1} << 20U, '\0');
  std::size_t used = 0;
  const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = ::uselocale(utf8);
  struct archive* handle = archive_write_new();
  if (gzip) {
    archive_write_add_filter_gzip(handle);
    archive_write_set_format_raw(handle);
  } else {
    archive_write_set_format_zip(handle);
    archive_write_set_options(handle, store ? "zip:compression=store,zip:hdrcharset=UTF-8" : "zip:hdrcharset=UTF-8");
  }
  EXPECT_EQ(archive_write_open_memory(handle, out.data(), out.size(), &used), ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    struct archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    EXPECT_EQ(archive_write_header(handle, entry), ARCHIVE_OK) << archive_error_string(handle);
    if (!content.empty()) {
      EXPECT_GT(archive_write_data(handle, content.data(), content.size()), 0);
    }
    archive_entry_free(entry);
  }
  EXPECT_EQ(archive_write_close(handle), ARCHIVE_OK);
  archive_write_free(handle);
  ::uselocale(before);
  ::freelocale(utf8);
  out.resize(used);
  return out;
}

std::string zipped(const Files& files) { return packed(files, false); }
std::string gzipped(const std::string& content) { return packed({{"data", content}}, true); }

/// Reads everything it is shown.
class Collector : public FileVisitor {
 public:
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    auto content = read_all(*source, std::size_t{256} << 20U);
    if (!content) {
      problems.emplace_back(name, content.error().code);
      return true;
    }
    files.emplace_back(name, std::move(*content));
    return files.size() < stop_after;
  }
  bool problem(Diagnostic why) override {
    problems.emplace_back(why.place.file, why.code);
    return true;
  }
  void progress(std::uint64_t count) override { bytes += count; }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, content] : files) out.push_back(name);
    return out;
  }

  Files files;
  std::vector<std::pair<std::string, std::string>> problems;
  std::uint64_t bytes = 0;
  std::size_t stop_after = SIZE_MAX;
};

class Open : public testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) / ("rondo_open_" + std::to_string(::getpid()) + "_" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(root);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  fs::path put(const std::string& below, const std::string& content) {
    const fs::path path = root / below;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  Collector& walk(const fs::path& path, const OpenLimits& limits = {}) {
    EXPECT_TRUE(open_path(path.native(), seen, limits));
    return seen;
  }

  fs::path root;
  Collector seen;
};

TEST_F(Open, AFileGoesByThePathGiven) {
  const fs::path path = put("a.abc", "X:1");
  EXPECT_THAT(walk(path).files, ElementsAre(Pair(path.native(), "X:1")));
  EXPECT_EQ(seen.bytes, 3U);
  EXPECT_EQ(bytes_below(path.native()), 3U);
}

TEST_F(Open, AFoldersFilesComeSortedUnderTheFoldersName) {
  put("songs/b.abc", "b");
  put("songs/a/z.abc", "z");
  put("songs/a.abc", "a");
  put("songs/.hidden", "no");
  put("songs/.git/config", "no");
  put("songs/c/deep/er.abc", "e");
  const auto expected = ElementsAre("songs/a/z.abc", "songs/a.abc", "songs/b.abc", "songs/c/deep/er.abc");
  EXPECT_THAT(walk(root / "songs").names(), expected);
  EXPECT_THAT(seen.problems, IsEmpty());
  EXPECT_EQ(bytes_below((root / "songs").native()), 4U);
  Collector slash;
  EXPECT_TRUE(open_path((root / "songs").native() + "/", slash));
  EXPECT_THAT(slash.names(), expected);
}

TEST_F(Open, TheVisitorMayStop) {
  for (const char* name : {"a", "b", "c"}) put(std::string("songs/") + name, "x");
  seen.stop_after = 2;
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/a", "songs/b"));
}

TEST_F(Open, NothingThereIsAnError) {
  const auto done = open_path((root / "none").native(), seen);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "file-not-found");
  EXPECT_EQ(bytes_below((root / "none").native()), 0U);
}

TEST_F(Open, LinksThatFormALoopAreFollowedOnce) {
  put("songs/a.abc", "a");
  fs::create_directory_symlink(root / "songs", root / "songs/again");
  fs::create_symlink(root / "songs/x", root / "songs/x");
  fs::create_symlink(root / "songs/a.abc", root / "songs/link.abc");
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/a.abc", "songs/link.abc"));
  EXPECT_THAT(seen.problems, ElementsAre(Pair("songs/x", "file-unreadable")));
}

TEST_F(Open, PipesAndDevicesAreNeverWaitedFor) {
  put("songs/a.abc", "a");
  ASSERT_EQ(::mkfifo((root / "songs/pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root / "songs/zero");
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/a.abc"));
  EXPECT_THAT(seen.problems, ElementsAre(Pair("songs/pipe", "not-a-file"), Pair("songs/zero", "not-a-file")));
  Collector alone;
  EXPECT_TRUE(open_path((root / "songs/pipe").native(), alone));
  EXPECT_THAT(alone.problems, ElementsAre(Pair((root / "songs/pipe").native(), "not-a-file")));
}

TEST_F(Open, APipeOfTheShellIsRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string content = gzipped("X:1\n");
  ASSERT_EQ(::write(ends[1], content.data(), content.size()), static_cast<ssize_t>(content.size()));
  ::close(ends[1]);
  EXPECT_TRUE(open_path("/dev/fd/" + std::to_string(ends[0]), seen));
  ::close(ends[0]);
  ASSERT_EQ(seen.files.size(), 1U);
  EXPECT_EQ(seen.files[0].second, "X:1\n");
}

TEST_F(Open, StandardInputIsRead) {
  const fs::path path = put("in.zip", zipped({{"a.abc", "X:1\n"}}));
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  ::dup2(file, STDIN_FILENO);
  EXPECT_TRUE(open_path("-", seen));
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
  EXPECT_THAT(seen.files, ElementsAre(Pair("stdin/a.abc", "X:1\n")));
}

TEST_F(Open, AnUnreadableFileDoesNotEndTheWalk) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  put("songs/a.abc", "a");
  put("songs/b.abc", "b");
  fs::permissions(root / "songs/a.abc", fs::perms::none);
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/b.abc"));
  EXPECT_THAT(seen.problems, ElementsAre(Pair("songs/a.abc", "file-unreadable")));
}

TEST_F(Open, GzipIsReadInPlaceWhateverItsName) {
  put("songs/a.abc", gzipped("X:1\n"));
  put("songs/two.gz", gzipped("one") + gzipped("two"));
  EXPECT_THAT(walk(root / "songs").files, ElementsAre(Pair("songs/a.abc", "X:1\n"), Pair("songs/two.gz", "onetwo")));
  EXPECT_THAT(seen.problems, IsEmpty());
}

TEST_F(Open, ZipEntriesComeUnderTheZipsName) {
  const std::string inner = zipped({{"deep.abc", "d"}, {"too.zip", zipped({{"deeper.abc", "no"}})}});
  put("songs/all.zip", zipped({{"a/", ""},
                               {"a/one.abc", "1"},
                               {"two.abc.gz", gzipped("2")},
                               {"inner.zip", inner},
                               {"./dot/three.abc", "3"},
                               {"__MACOSX/a/._one.abc", "junk"},
                               {"Lied \u00fc.abc", "u"}}));
  EXPECT_THAT(walk(root / "songs").files,
              ElementsAre(Pair("songs/all.zip/a/one.abc", "1"), Pair("songs/all.zip/two.abc.gz", "2"),
                          Pair("songs/all.zip/inner.zip/deep.abc", "d"), Pair("songs/all.zip/dot/three.abc", "3"),
                          Pair("songs/all.zip/Lied \u00fc.abc", "u")));
  EXPECT_THAT(seen.problems, ElementsAre(Pair("songs/all.zip/inner.zip/too.zip", "archive-too-deep")));
}

TEST_F(Open, AGzipInAGzipIsNotOpened) {
  put("a.gz", gzipped(gzipped("x")));
  EXPECT_THAT(walk(root / "a.gz").files, IsEmpty());
  EXPECT_THAT(seen.problems, ElementsAre(Pair((root / "a.gz").native(), "archive-too-deep")));
}

std::string container(const std::string& roots) {
  return "<?xml version=\"1.0\"?><container><rootfiles>" + roots + "</rootfiles></container>";
}

TEST_F(Open, AnMxlIsTheOneScoreItsContainerNames) {
  const Files files = {{"mimetype", "application/vnd.recordare.musicxml"},
                       {"other.xml", "<other/>"},
                       {"META-INF/container.xml",
                        container("<rootfile full-path=\"score.pdf\" media-type=\"application/pdf\"/>"
                                  "<rootfile full-path=\"parts/score.musicxml\"/><rootfile full-path=\"other.xml\"/>")},
                       {"parts/score.musicxml", "<score-partwise/>"}};
  put("songs/a.mxl", zipped(files));
  put("songs/b.zip", packed(files, false, true));  // by its first file
  put("songs/c.zip", zipped({{"in/c.MXL", zipped(files)}}));
  Files reversed(files.rbegin(), files.rend());
  put("songs/d.mxl", zipped(reversed));
  EXPECT_THAT(walk(root / "songs").files,
              ElementsAre(Pair("songs/a.mxl", "<score-partwise/>"), Pair("songs/b.zip", "<score-partwise/>"),
                          Pair("songs/c.zip/in/c.MXL", "<score-partwise/>"), Pair("songs/d.mxl", "<score-partwise/>")));
  EXPECT_THAT(seen.problems, IsEmpty());
}

TEST_F(Open, AnMxlWithABadContainerGivesItsFirstScore) {
  put("songs/a.mxl", zipped({{"META-INF/container.xml", "<not xml"}, {"s.xml", "<score-partwise/>"}}));
  put("songs/b.mxl", zipped({{"META-INF/container.xml", container("<rootfile full-path=\"gone.xml\"/>")}}));
  EXPECT_THAT(walk(root / "songs").files, ElementsAre(Pair("songs/a.mxl", "<score-partwise/>")));
  EXPECT_THAT(seen.problems, ElementsAre(Pair("songs/b.mxl", "mxl-no-score")));
}

TEST_F(Open, AScoreOfMuseScoreIsOneDocumentWithoutItsParts) {
  const std::string style = "<museScore><Style/></museScore>";
  put("songs/a.mscz", zipped({{"score_style.mss", style},
                              {"Excerpts/1_Flute/1_Flute.mscx", "<part/>"},
                              {"a.mscx", "<museScore/>"},
                              {"META-INF/container.xml", container("<rootfile full-path=\"a.mscx\"/>")}}));
  put("songs/b.zip", zipped({{"META-INF/container.xml", container("<rootfile full-path=\"b.mscx\"/>")},
                             {"Excerpts/b.mscx", "<part/>"},
                             {"b.mscx", "<museScore/>"}}));
  put("songs/c.zip", zipped({{"score_style.mss", style}, {"Excerpts/c.mscx", "<part/>"}, {"c.mscx", "<museScore/>"}}));
  put("songs/d.zip", zipped({{"one.mscx", "<museScore/>"}, {"two.mscx", "<museScore/>"}}));
  EXPECT_THAT(walk(root / "songs").files,
              ElementsAre(Pair("songs/a.mscz", "<museScore/>"), Pair("songs/b.zip", "<museScore/>"),
                          Pair("songs/c.zip", "<museScore/>"), Pair("songs/d.zip/one.mscx", "<museScore/>"),
                          Pair("songs/d.zip/two.mscx", "<museScore/>")));
}

TEST_F(Open, DamagedArchivesAreProblemsAndTheWalkGoesOn) {
  const std::string zip = zipped({{"a.abc", std::string(5000, 'a') + "b"}});
  const std::string gzip = gzipped(std::string(5000, 'a') + "b");
  put("songs/a.zip", zip.substr(0, 40));
  put("songs/b.gz", gzip.substr(0, gzip.size() / 2));
  put("songs/c.zip", std::string("PK\x03\x04") + "garbage");
  put("songs/d.gz", "\x1F\x8Bgarbage");
  put("songs/e.gz", gzipped(""));
  put("songs/f.abc", "fine");
  EXPECT_THAT(walk(root / "songs").files, ElementsAre(Pair("songs/f.abc", "fine")));
  EXPECT_EQ(seen.problems.size(), 5U);
  for (const auto& [name, code] : seen.problems) EXPECT_EQ(code, "archive-damaged") << name;
}

TEST_F(Open, AnArchiveThatUnfoldsTooFarIsAnError) {
  const std::string bomb = gzipped(std::string(std::size_t{20} << 20U, '\0'));
  put("songs/a.gz", bomb);
  put("songs/b.zip", zipped({{"x", std::string(std::size_t{20} << 20U, '\0')}, {"y", "y"}}));
  put("songs/c.zip", zipped({{"inner.gz", bomb}}));
  put("songs/d.abc", "fine");
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/d.abc"));
  EXPECT_THAT(seen.problems,
              ElementsAre(Pair("songs/a.gz", "archive-too-large"), Pair("songs/b.zip/x", "archive-too-large"),
                          Pair("songs/c.zip/inner.gz", "archive-too-large")));
  Collector small;
  OpenLimits limits;
  limits.total_bytes = 10;
  put("e.gz", gzipped("more than ten bytes"));
  EXPECT_TRUE(open_path((root / "e.gz").native(), small, limits));
  EXPECT_THAT(small.problems, ElementsAre(Pair((root / "e.gz").native(), "archive-too-large")));
}

TEST_F(Open, AFileOfAnArchiveCannotBeReadAfterItsTurn) {
  class Keeper final : public Collector {
   public:
    bool file(const std::string& /*name*/, std::unique_ptr<ByteSource> source) override {
      kept.push_back(std::move(source));
      return true;
    }
    std::vector<std::unique_ptr<ByteSource>> kept;
  };
  Keeper keeper;
  // Longer than what is looked at to recognise an archive in the archive.
  put("a.zip", zipped({{"a", std::string(9000, 'a')}, {"b", std::string(9000, 'b')}}));
  EXPECT_TRUE(open_path((root / "a.zip").native(), keeper));
  ASSERT_EQ(keeper.kept.size(), 2U);
  for (auto& source : keeper.kept) {
    const auto all = read_all(*source, 100000);
    ASSERT_FALSE(all);
    EXPECT_EQ(all.error().code, "file-closed");
  }
}

TEST_F(Open, NamesThatAreNotUtf8StayDifferent) {
  put("songs/M\xFCller.abc", "1");
  put("songs/M\xE4ller.abc", "2");
  EXPECT_THAT(walk(root / "songs").names(), ElementsAre("songs/M%E4ller.abc", "songs/M%FCller.abc"));
}

Result<const Format*> any(const std::string& text, CollectingSink& sink) {
  class Owned final : public ByteSource {
   public:
    explicit Owned(std::string bytes) : bytes_(std::move(bytes)), source_(bytes_) {}
    Result<std::size_t> read(std::span<char> into) override { return source_.read(into); }

   private:
    std::string bytes_;
    MemorySource source_;
  };
  ReadOptions options;
  options.file = "some.file";
  return read_any(std::make_unique<Owned>(text), options, sink);
}

TEST(ReadAny, RecognisesByContentAndReads) {
  CollectingSink sink;
  const auto format = any("{\"id\": \"a\", \"notes\": [[0, 1, 60]]}\n", sink);
  ASSERT_TRUE(format);
  EXPECT_EQ((*format)->name, "jsonl");
  EXPECT_EQ(sink.pieces.size(), 1U);
}

TEST(ReadAny, SaysWhichFormatsThereAre) {
  CollectingSink sink;
  const auto format = any("\x01\x02\x03 nothing we know", sink);
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, "format-unknown");
  EXPECT_THAT(format.error().message, HasSubstr("MARCXML"));
  EXPECT_THAT(format.error().message, HasSubstr("MEI"));
  EXPECT_EQ(format.error().place.file, "some.file");
}

TEST(ReadAny, AnEmptyFileIsAnError) {
  CollectingSink sink;
  const auto format = any("", sink);
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, "file-empty");
}

}  // namespace rondo::open_test
