// What must hold when things go wrong at the worst moment: processes killed, disks full.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "rondo/store/import.h"
#include "store/sqlite.h"
#include "store_support.h"
#include "support/rounds.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::json_lines;
using test::must;
using test::open_collection;
using testing::HasSubstr;

constexpr int kRecords = 800;

ImportOptions small_batches() {
  ImportOptions options;
  options.batch_records = 50;
  return options;
}

/// A process of ours that can be killed. `work` runs in it and may send numbers; the last one sent is remembered.
class Child {
 public:
  using Send = std::function<void(std::int64_t)>;

  explicit Child(const std::function<void(const Send&)>& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::close(ends[0]);
      work([&](std::int64_t number) { (void)!::write(ends[1], &number, sizeof number); });
      ::_exit(0);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    if (child_ > 0) finish();
    ::close(from_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Kills it once it has sent `number` or more, and a moment later; at once for a negative one.
  void kill_after(std::int64_t number, unsigned microseconds) {
    std::int64_t got = -1;
    while (got < number && ::read(from_, &got, sizeof got) == static_cast<ssize_t>(sizeof got)) last_ = got;
    ::usleep(microseconds);
    ::kill(child_, SIGKILL);
  }
  /// Waits for the end; true when it came by itself.
  bool finish() {
    // Read while it runs, as a full pipe would hold it up.
    std::int64_t number = 0;
    while (::read(from_, &number, sizeof number) == static_cast<ssize_t>(sizeof number)) last_ = number;
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) ADD_FAILURE() << "ended with " << WEXITSTATUS(status);
    return WIFEXITED(status);
  }
  [[nodiscard]] std::int64_t last() const { return last_; }

 private:
  pid_t child_ = 0;
  int from_ = -1;
  std::int64_t last_ = 0;
};

void import_and_tell(const fs::path& database, const std::string& input, const Child::Send& send) {
  auto music = Collection::open(database, OpenMode::create);
  if (!music) ::_exit(3);
  auto done = import_paths(*music, std::vector{input}, small_batches(), [&](const ImportProgress& progress) {
    send(progress.committed);
    return true;
  });
  if (!done) ::_exit(4);
}

using Content = std::map<std::string, Piece>;

Content content_of(Collection& music) {
  Content content;
  must(music.each_piece([&](const StoredPiece& stored) {
    content[stored.piece.id] = stored.piece;
    return true;
  }));
  return content;
}

void expect_same_content(const Content& a, const Content& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [id, piece] : a) {
    ASSERT_TRUE(b.contains(id)) << id;
    test::expect_same(piece, b.at(id));
  }
}

/// The file is good, and what was acknowledged is there.
void expect_sound(const fs::path& database, std::int64_t acknowledged) {
  Collection music = open_collection(database, OpenMode::create);
  auto checked = music.check();
  ASSERT_TRUE(checked.has_value()) << checked.error().to_string();
  for (std::int64_t i = 0; i < acknowledged; ++i) {
    ASSERT_TRUE(must(music.contains("id" + std::to_string(i))))
        << "lost after " << acknowledged << " were acknowledged";
  }
  const auto size = must(music.size());
  EXPECT_EQ(static_cast<std::int64_t>(must(music.find("menuet", 1'000'000)).size()), size.pieces);
}

class FaultTest : public testing::Test {
 protected:
  void SetUp() override {
    Collection music = open_collection(scratch_ / "whole.db");
    must(import_paths(music, std::vector{input_}, small_batches()));
    whole_ = content_of(music);
    ASSERT_EQ(whole_.size(), static_cast<std::size_t>(kRecords));
  }

  void expect_complete(const fs::path& database) {
    Collection music = open_collection(database);
    must(music.check());
    expect_same_content(content_of(music), whole_);
  }

  Scratch scratch_;
  std::string input_ = scratch_.write("in.jsonl", json_lines(0, kRecords));
  Content whole_;
};

/// When to kill: a record to wait for and a moment after it. Every fourth time it hits the making of the file.
struct Moment {
  std::int64_t record;
  unsigned microseconds;
};

Moment some_moment(std::mt19937& random) {
  const auto microseconds = static_cast<unsigned>(random() % 4000);
  if (random() % 4 == 0) return {-1, microseconds};
  return {static_cast<std::int64_t>(random() % kRecords), microseconds};
}

TEST_F(FaultTest, AnImportKilledAtAnyMomentLosesNothingAndIsCompletedByTheNext) {
  std::mt19937 random(11);
  int killed = 0;
  const int rounds = test::kSanitized ? 1 : 3;
  for (int round = 0; round < rounds; ++round) {
    const fs::path database = scratch_ / ("killed" + std::to_string(round) + ".db");
    for (int attempt = 0; attempt < 6; ++attempt) {
      Child child([&](const Child::Send& send) { import_and_tell(database, input_, send); });
      const Moment moment = some_moment(random);
      child.kill_after(moment.record, moment.microseconds);
      killed += child.finish() ? 0 : 1;
      if (fs::exists(database)) expect_sound(database, child.last());
    }
    Collection music = open_collection(database);
    must(import_paths(music, std::vector{input_}, small_batches()));
    expect_complete(database);
  }
  EXPECT_GE(killed, 3 * rounds) << "too few were killed in time to prove anything";
}

TEST_F(FaultTest, AnUpdateKilledAtAnyMomentLeavesEveryPieceOldOrNew) {
  std::mt19937 random(12);
  const fs::path database = scratch_ / "update.db";
  {
    Collection music = open_collection(database);
    must(import_paths(music, std::vector{input_}, small_batches()));
  }
  std::vector<Piece> changed;
  for (int i = 0; i < kRecords; ++i) {
    changed.push_back(test::sample(i));
    changed.back().metadata.title += " newly";
    changed.back().voices.pop_back();
  }
  scratch_.write("in.jsonl", json_lines(changed));
  for (int attempt = 0; attempt < (test::kSanitized ? 3 : 8); ++attempt) {
    Child child([&](const Child::Send& send) { import_and_tell(database, input_, send); });
    const Moment moment = some_moment(random);
    child.kill_after(moment.record, moment.microseconds);
    child.finish();
    expect_sound(database, kRecords);
    Collection music = open_collection(database);
    const auto newly = static_cast<std::int64_t>(must(music.find("newly", 1'000'000)).size());
    EXPECT_GE(newly, child.last());
    EXPECT_EQ(must(music.size()).voices, 2 * kRecords - newly) << "a piece is neither old nor new";
  }
}

TEST_F(FaultTest, AFileThatMayNotGrowEndsTheImportWithAClearErrorAndKeepsWhatWasCommitted) {
  const fs::path database = scratch_ / "small.db";
  {
    Collection music = open_collection(database);
    must(database_of(music).execute("PRAGMA max_page_count = 150"));
    auto done = import_paths(music, std::vector{input_}, small_batches());
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().code, "disk-full") << done.error().to_string();
    EXPECT_THAT(done.error().message, HasSubstr("records of this import are stored"));
    const auto stored = must(music.size()).pieces;
    EXPECT_GT(stored, 0);
    EXPECT_EQ(stored % 50, 0) << "a batch is there in part";
    EXPECT_THAT(done.error().message, HasSubstr("the first " + std::to_string(stored) + " records"));
    expect_sound(database, stored);
    must(database_of(music).execute("PRAGMA max_page_count = 1000000"));
    must(import_paths(music, std::vector{input_}, small_batches()));
  }
  expect_complete(database);
}

/// Imports until the room is used up; what was acknowledged must then be there.
void import_into_too_little_room(const fs::path& database, const std::string& input, std::string_view code,
                                 const Child::Send& send) {
  std::int64_t acknowledged = 0;
  auto music = Collection::open(database, OpenMode::create);
  if (!music) ::_exit(3);
  auto done = import_paths(*music, std::vector{input}, small_batches(), [&](const ImportProgress& progress) {
    acknowledged = progress.committed;
    send(acknowledged);
    return true;
  });
  if (done) ::_exit(4);
  if (done.error().code != code) ::_exit(5);
  auto size = music->size();
  if (!size || size->pieces < acknowledged || acknowledged == 0) ::_exit(6);
}

TEST_F(FaultTest, AQuotaThatIsUsedUpEndsTheImportAndKeepsWhatWasCommitted) {
  const fs::path database = scratch_ / "quota.db";
  Child child([&](const Child::Send& send) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{600'000, 600'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    import_into_too_little_room(database, input_, "disk-error", send);
  });
  ASSERT_TRUE(child.finish());
  expect_sound(database, child.last());
  Collection music = open_collection(database);
  must(import_paths(music, std::vector{input_}, small_batches()));
  expect_same_content(content_of(music), whole_);
}

TEST_F(FaultTest, AFullDiskEndsTheImportAndKeepsWhatWasCommitted) {
  const fs::path disk = scratch_ / "disk";
  fs::create_directory(disk);
  Child child([&](const Child::Send& send) {
    // A small disk of our own, which nobody else sees.
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1500k") != 0) {
      send(-1);
      ::_exit(0);
    }
    import_into_too_little_room(disk / "full.db", input_, "disk-full", send);
    auto music = Collection::open(disk / "full.db", OpenMode::read);
    if (!music) ::_exit(7);
    if (!music->check()) ::_exit(8);
    fs::copy_file(disk / "full.db", scratch_ / "rescued.db");  // the disk goes with this process
    if (fs::exists(disk / "full.db-wal")) fs::copy_file(disk / "full.db-wal", scratch_ / "rescued.db-wal");
  });
  ASSERT_TRUE(child.finish());
  if (child.last() == -1) GTEST_SKIP() << "needs the right to mount a small disk";
  expect_sound(scratch_ / "rescued.db", child.last());
}

}  // namespace
}  // namespace rondo
