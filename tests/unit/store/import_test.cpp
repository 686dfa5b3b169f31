#include "rondo/store/import.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "store/sqlite.h"
#include "store_support.h"
#include "support/data.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::json_lines;
using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class ImportTest : public testing::Test {
 protected:
  ImportSummary import(const std::vector<std::string>& paths) { return must(import_paths(music_, paths, options_)); }
  ImportSummary import(const std::string& path) { return import(std::vector{path}); }

  Scratch scratch_;
  fs::path path_ = scratch_ / "music.db";
  Collection music_ = open_collection(path_);
  ImportOptions options_;
};

/// JSON lines without ids.
std::string nameless(int from, int to) {
  std::vector<Piece> pieces;
  for (int i = from; i < to; ++i) {
    pieces.push_back(sample(i));
    pieces.back().id.clear();
  }
  return json_lines(pieces);
}

Piece titled(const std::string& id, const std::string& title) {
  Piece piece = sample(1);
  piece.id = id;
  piece.metadata.title = title;
  return piece;
}

TEST_F(ImportTest, EveryRecordOfEveryFileIsStoredAndCounted) {
  scratch_.write("in/a.jsonl", json_lines(0, 3));
  scratch_.write("in/deep/b.jsonl", json_lines(3, 5));
  const ImportSummary summary = import((scratch_ / "in").string());
  EXPECT_EQ(summary.files, 2);
  EXPECT_EQ(summary.records, 5);
  EXPECT_EQ(summary.added, 5);
  EXPECT_EQ(summary.skipped + summary.warnings + summary.files_failed, 0);
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0", "id1", "id2", "id3", "id4"));
  Piece piece = must(music_.get("id3"));
  EXPECT_EQ(piece.metadata, sample(3).metadata);
  EXPECT_EQ(piece.voices, sample(3).voices);
  EXPECT_EQ(test::sql(path_, "SELECT file, record FROM pieces WHERE id = 'id4'"), "in/deep/b.jsonl|2");
  EXPECT_EQ(test::sql(path_, "SELECT outcome, files, records, added, finished IS NOT NULL FROM import_run"),
            "complete|2|5|5|1");
  must(music_.check());
}

// To open and close the collection's files would give up the locks of this process: another could write meanwhile.
TEST_F(ImportTest, AFolderWithTheCollectionItselfIsImportedWithoutIt) {
  scratch_.write("a.jsonl", json_lines(0, 3));
  ASSERT_TRUE(fs::exists(path_.string() + "-shm"));
  scratch_.write("music.db.index", "an index");
  scratch_.write("readme", "no music");
  fs::create_hard_link(path_, scratch_ / "another-name.jsonl");
  const ImportSummary summary = import(scratch_.path().string());
  EXPECT_EQ(summary.files, 2);
  EXPECT_EQ(summary.files_other, 1) << "the readme";
  EXPECT_EQ(summary.added, 3);
  const ImportSummary named = import(path_.string());
  EXPECT_EQ(named.files_failed, 1);
  EXPECT_EQ(named.first_losses.at(0).message, "this file belongs to a collection");
}

TEST_F(ImportTest, AReportIsNeverWrittenOverACollection) {
  fs::create_symlink(path_, scratch_ / "report.csv");
  for (const char* name : {"music.db", "report.csv", "music.db-wal", "music.db.studies"}) {
    options_.report = scratch_ / name;
    auto failed = import_paths(music_, std::vector{scratch_.write("a.jsonl", json_lines(0, 1))}, options_);
    ASSERT_FALSE(failed.has_value()) << name;
    EXPECT_EQ(failed.error().code, "output-refused") << name;
  }
  must(music_.check());
}

TEST_F(ImportTest, AnUnchangedFileIsPassedOver) {
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 3));
  import(file);
  const ImportSummary again = import(file);
  EXPECT_EQ(again.files_unchanged, 1);
  EXPECT_EQ(again.files, 0);
  EXPECT_EQ(again.records, 0);
}

TEST_F(ImportTest, AFileIsKnownByItsContentAndNotByItsDate) {
  const std::string file = scratch_.write("a.jsonl", json_lines({titled("x", "one")}));
  const auto date = fs::last_write_time(file);
  import(file);
  scratch_.write("a.jsonl", json_lines({titled("x", "two")}));
  fs::last_write_time(file, date);
  EXPECT_EQ(import(file).updated, 1) << "the same size and date, another content";
  fs::last_write_time(file, date + std::chrono::hours(1));
  EXPECT_EQ(import(file).files_unchanged, 1) << "another date, the same content";
}

TEST_F(ImportTest, AnotherVersionOrAnotherWayOfReadingReadsAgain) {
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 3));
  import(file);
  options_.version = "2";
  EXPECT_EQ(import(file).unchanged, 3);
  options_.read.keep_source = false;
  EXPECT_EQ(import(file).updated, 3);
  EXPECT_EQ(import(file).files_unchanged, 1);
  options_.reread = true;
  EXPECT_EQ(import(file).unchanged, 3);
}

TEST_F(ImportTest, AChangedFileUpdatesWhatChangedInPlace) {
  const std::string file =
      scratch_.write("a.jsonl", json_lines({titled("x", "1"), titled("y", "1"), titled("z", "1")}));
  import(file);
  scratch_.write("a.jsonl", json_lines({titled("new", "1"), titled("x", "1"), titled("y", "2"), titled("z", "1")}));
  const ImportSummary again = import(file);
  EXPECT_EQ(again.added, 1);
  EXPECT_EQ(again.updated, 1);
  EXPECT_EQ(again.unchanged, 2) << "a record that only moved has not changed";
  EXPECT_EQ(again.warnings, 0);
  EXPECT_THAT(test::ids_of(music_), ElementsAre("x", "y", "z", "new"));
  EXPECT_EQ(test::sql(path_, "SELECT record FROM pieces WHERE id = 'z'"), "4");
}

TEST_F(ImportTest, ARemovedOrReplacedPieceComesBackWithItsFile) {
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 3));
  import(file);
  must(music_.remove("id1"));
  EXPECT_EQ(import(file).added, 1);
  must(music_.put(titled("id2", "written by hand")));
  EXPECT_EQ(import(file).updated, 1);
  EXPECT_EQ(must(music_.get("id2")).metadata.title, "Menuet 2");
}

TEST_F(ImportTest, ABrokenRecordCostsThatRecordAndIsReported) {
  const std::string file =
      scratch_.write("a.jsonl", json_lines(0, 1) + "{\"id\": \"bad\", \"notes\": [\n" + json_lines(1, 2));
  options_.report = scratch_ / "report.csv";
  const ImportSummary summary = import(file);
  EXPECT_EQ(summary.records, 3);
  EXPECT_EQ(summary.added, 2);
  EXPECT_EQ(summary.skipped, 1);
  EXPECT_THAT(summary.by_code, ElementsAre(Pair("jsonl-syntax", 1)));
  EXPECT_EQ(test::sql(path_, "SELECT severity, code, record, line FROM problems"),
            fmt::format("skipped|jsonl-syntax|{}#2|2", file));
  const std::string report = slurp(options_.report);
  EXPECT_THAT(report, StartsWith("severity,code,file,record,field,line,column,message,hint\r\nskipped,jsonl-syntax,"));
}

TEST_F(ImportTest, ProblemsAreThoseOfTheLastReading) {
  const std::string file = scratch_.write("a.jsonl", "{\"id\": oops\n" + json_lines(0, 1));
  const std::string other = scratch_.write("b.jsonl", "{\"id\": oops\n" + json_lines(1, 2));
  import({file, other});
  import({file, other});
  EXPECT_EQ(test::sql(path_, "SELECT count(*) FROM import_problem"), "2") << "a file passed over keeps its problems";
  scratch_.write("a.jsonl", json_lines(0, 1));
  import({file, other});
  EXPECT_EQ(test::sql(path_, "SELECT file FROM problems"), other);
}

TEST_F(ImportTest, FilesThatCannotBeReadAreCountedAndDoNotEndTheImport) {
  scratch_.write("in/README", "this is no music");
  scratch_.write("in/empty.abc", "");
  scratch_.write("in/z.jsonl", json_lines(0, 2));
  const ImportSummary summary = import({(scratch_ / "nothing here").string(), (scratch_ / "in").string()});
  EXPECT_EQ(summary.files_failed, 2);
  EXPECT_EQ(summary.files_other, 1);
  EXPECT_EQ(summary.added, 2);
  EXPECT_THAT(summary.by_code, UnorderedElementsAre(Pair("file-not-found", 1), Pair("file-empty", 1)));
  EXPECT_EQ(summary.first_losses.size(), 2U);
  EXPECT_EQ(test::sql(path_, "SELECT count(*) FROM problems WHERE severity = 'failed'"), "2");
}

TEST_F(ImportTest, AFileOfNoKnownFormatIsAProblemWhenItWasNamed) {
  const std::string file = scratch_.write("README", "this is no music");
  const ImportSummary summary = import(file);
  EXPECT_EQ(summary.files_failed, 1);
  EXPECT_EQ(summary.files_other, 0);
  EXPECT_THAT(summary.by_code, UnorderedElementsAre(Pair("format-unknown", 1)));
}

TEST_F(ImportTest, AStrictImportEndsAtTheFirstProblemAndKeepsWhatCameBefore) {
  options_.strict = true;
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 2) + "{\"id\": oops\n" + json_lines(2, 4));
  auto failed = import_paths(music_, std::vector{file}, options_);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, "jsonl-syntax");
  EXPECT_EQ(failed.error().place.line, 3U);
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0", "id1"));
  EXPECT_EQ(test::sql(path_, "SELECT outcome, records, added FROM import_run"), "failed|3|2");
  scratch_.write("a.jsonl", json_lines(0, 4));
  EXPECT_EQ(import(file).added, 2);
}

TEST_F(ImportTest, AStrictImportDoesNotStoreARecordWithAWarning) {
  options_.strict = true;
  const std::string file =
      scratch_.write("a.jsonl", json_lines({titled("x", "1"), titled("y", "2"), titled("x", "3")}));
  auto failed = import_paths(music_, std::vector{file}, options_);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, "id-duplicate");
  EXPECT_THAT(test::ids_of(music_), ElementsAre("x", "y"));
  EXPECT_EQ(must(music_.get("x")).metadata.title, "1");
}

TEST_F(ImportTest, TwoRecordsWithOneIdAreBothKept) {
  scratch_.write("in/a.jsonl", json_lines({titled("x", "one"), titled("x", "two")}));
  scratch_.write("in/b.jsonl", json_lines({titled("x", "three")}));
  const std::string folder = (scratch_ / "in").string();
  const ImportSummary summary = import(folder);
  EXPECT_EQ(summary.added, 3);
  EXPECT_EQ(summary.warned, 2);
  EXPECT_THAT(summary.by_code, ElementsAre(Pair("id-duplicate", 2)));
  const auto expected = ElementsAre("x", "x@" + folder + "/a.jsonl#2", "x@" + folder + "/b.jsonl#1");
  EXPECT_THAT(test::ids_of(music_), expected);
  options_.reread = true;
  const ImportSummary again = import(folder);
  EXPECT_EQ(again.unchanged, 3);
  EXPECT_THAT(test::ids_of(music_), expected) << "and stay the same two";
  EXPECT_EQ(must(music_.get("x")).metadata.title, "one");
}

TEST_F(ImportTest, ARecordThatIsThereTwiceIsKeptOnceAndSaidSo) {
  const std::string file = scratch_.write("a.jsonl", json_lines({titled("x", "one"), titled("x", "one")}));
  const ImportSummary summary = import(file);
  EXPECT_EQ(summary.added, 1);
  EXPECT_EQ(summary.unchanged, 1);
  EXPECT_THAT(summary.by_code, ElementsAre(Pair("id-duplicate", 1)));
}

TEST_F(ImportTest, AFileGivenTwiceIsNoDuplicate) {
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 3));
  const ImportSummary summary = import({file, file});
  EXPECT_EQ(summary.added, 3);
  EXPECT_EQ(summary.warnings, 0);
  options_.reread = true;
  EXPECT_EQ(import({file, file}).warnings, 0);
}

// The cases in which passing over an unchanged file could lose the record that another file replaced.
TEST_F(ImportTest, ANewFileDoesNotTakeAnIdAwayFromAFileThatIsPassedOver) {
  scratch_.write("in/b.jsonl", json_lines({titled("x", "b's")}));
  const std::string folder = (scratch_ / "in").string();
  import(folder);
  scratch_.write("in/c.jsonl", json_lines({titled("x", "c's")}));
  import(folder);
  EXPECT_EQ(must(music_.get("x")).metadata.title, "b's");
  EXPECT_EQ(must(music_.get("x@" + folder + "/c.jsonl#1")).metadata.title, "c's");
  scratch_.write("in/a.jsonl", json_lines({titled("x", "a's")}));  // comes first in the walk
  import(folder);
  std::vector<std::string> titles;
  must(music_.each_piece([&](const StoredPiece& stored) {
    titles.push_back(stored.piece.metadata.title);
    return true;
  }));
  EXPECT_THAT(titles, UnorderedElementsAre("a's", "b's", "c's"));
}

TEST_F(ImportTest, ARecordKeptOnceIsKeptForBothFilesWhenOneOfThemChanges) {
  const std::string a = scratch_.write("in/a.jsonl", json_lines({titled("x", "same")}));
  scratch_.write("in/b.jsonl", json_lines({titled("x", "same")}));
  const std::string folder = (scratch_ / "in").string();
  import(folder);
  scratch_.write("in/a.jsonl", json_lines({titled("x", "other")}));
  import(folder);
  EXPECT_EQ(must(music_.get("x")).metadata.title, "other");
  EXPECT_EQ(must(music_.get("x@" + folder + "/b.jsonl#1")).metadata.title, "same");
}

TEST_F(ImportTest, ALaterEditionUnderAnotherNameUpdatesInPlaceAndSaysSoOnce) {
  const std::string old_edition =
      scratch_.write("2025.jsonl", json_lines({titled("x", "1"), titled("y", "1"), titled("z", "1")}));
  const std::string new_edition =
      scratch_.write("2026.jsonl", json_lines({titled("x", "2"), titled("y", "2"), titled("z", "1")}));
  import(old_edition);
  const ImportSummary summary = import(new_edition);
  EXPECT_EQ(summary.updated, 2);
  EXPECT_EQ(summary.unchanged, 1);
  EXPECT_THAT(summary.by_code, ElementsAre(Pair("id-taken-over", 1)));
  EXPECT_THAT(test::sql(path_, "SELECT message FROM problems"), HasSubstr("2 records"));
  EXPECT_THAT(test::ids_of(music_), SizeIs(3));
}

TEST_F(ImportTest, RecordsWithoutIdsGoByFileAndNumber) {
  const std::string file = scratch_.write("in/a.jsonl", nameless(0, 2));
  import((scratch_ / "in").string());
  EXPECT_THAT(test::ids_of(music_), ElementsAre("in/a.jsonl#1", "in/a.jsonl#2"));
}

TEST_F(ImportTest, TwoFoldersOfOneNameDoNotOverwriteEachOther) {
  scratch_.write("one/songs/a.jsonl", nameless(0, 1));
  scratch_.write("two/songs/a.jsonl", nameless(5, 6));
  import((scratch_ / "one/songs").string());
  import((scratch_ / "two/songs").string());
  EXPECT_THAT(test::ids_of(music_),
              ElementsAre("songs/a.jsonl#1", "songs/a.jsonl#1@" + (scratch_ / "two/songs/a.jsonl#1").string()));
}

TEST_F(ImportTest, AFolderThatMovedIsTheSameFolder) {
  scratch_.write("one/songs/a.jsonl", nameless(0, 2));
  import((scratch_ / "one/songs").string());
  fs::create_directory(scratch_ / "two");
  fs::rename(scratch_ / "one/songs", scratch_ / "two/songs");
  const ImportSummary summary = import((scratch_ / "two/songs").string());
  EXPECT_EQ(summary.unchanged, 2);
  EXPECT_EQ(summary.warnings, 0);
}

TEST_F(ImportTest, APieceTheStoreCannotHoldIsSkipped) {
  // A reader is supposed to build through VoiceBuilder; this is what happens when one does not.
  std::string line = "{\"id\": \"x\", \"notes\": [[\"0\", \"1/4\", 60], [\"2000000\", \"1/4\", 60]]}\n";
  const ImportSummary summary = import(scratch_.write("a.jsonl", line + json_lines(0, 1)));
  EXPECT_EQ(summary.skipped, 1);
  EXPECT_EQ(summary.added, 1);
}

TEST_F(ImportTest, TheWatcherSeesEveryBatchAndCanEndTheImport) {
  const std::string file = scratch_.write("a.jsonl", json_lines(0, 100));
  options_.batch_records = 10;
  options_.batch_time = std::chrono::hours(1);  // on a busy machine a batch would end sooner
  std::vector<std::int64_t> committed;
  const auto watch = [&](const ImportProgress& progress) {
    EXPECT_LE(progress.committed, progress.records);
    EXPECT_EQ(progress.bytes_total, fs::file_size(file));
    EXPECT_LE(progress.bytes_done, progress.bytes_total);
    if (committed.empty() || committed.back() != progress.committed) committed.push_back(progress.committed);
    return progress.committed < 30;
  };
  const ImportSummary summary = must(import_paths(music_, std::vector{file}, options_, watch));
  EXPECT_TRUE(summary.stopped);
  EXPECT_THAT(committed, ElementsAre(0, 10, 20, 30));
  EXPECT_THAT(test::ids_of(music_), SizeIs(30));
  EXPECT_EQ(test::sql(path_, "SELECT outcome FROM import_run"), "stopped");
  const ImportSummary rest = import(file);
  EXPECT_EQ(rest.unchanged, 30);
  EXPECT_EQ(rest.added, 70);
}

TEST_F(ImportTest, AnImportWithinABatchIsRefused) {
  auto batch = must(music_.begin());
  auto failed = import_paths(music_, std::vector{scratch_.write("a.jsonl", json_lines(0, 1))}, options_);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, "store-busy");
}

TEST_F(ImportTest, AReportThatCannotBeWrittenIsSaidBeforeAnythingIsRead) {
  options_.report = scratch_ / "no/folder/report.csv";
  auto failed = import_paths(music_, std::vector{scratch_.write("a.jsonl", json_lines(0, 1))}, options_);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, "report-unwritable");
  EXPECT_TRUE(test::ids_of(music_).empty());
}

TEST_F(ImportTest, TheReportQuotesWhatCsvNeedsQuoted) {
  const std::string name = "odd \"name\", with\nall.jsonl";
  scratch_.write("in/" + name, "{\"id\": oops\n");
  options_.report = scratch_ / "report.csv";
  import((scratch_ / "in").string());
  const std::string report = slurp(options_.report);
  EXPECT_THAT(report, HasSubstr("odd \"\"name\"\", with"));
  EXPECT_TRUE(report.ends_with("\r\n"));
}

TEST_F(ImportTest, RealFilesImportAsTheirReadersSay) {
  RONDO_NEEDS_DATA("mtc-ann");
  const ImportSummary summary = import(rondo_data("mtc-ann").string());
  EXPECT_EQ(summary.added, 194);
  EXPECT_EQ(must(music_.size()).pieces, 194);
  must(music_.check());
}

}  // namespace
}  // namespace rondo
