#include "concordances/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/collection_files.h"

namespace rondo::concordances {
namespace {

constexpr std::string_view kVersion = "1 ";

Error unreadable(const std::filesystem::path& path, std::string what) {
  return Error{"journal-unreadable", std::move(what), Place{path.string(), {}, {}, 0, 0},
               "remove the file to begin anew"};
}

/// Numbers of a line, one after the other.
class Numbers {
 public:
  explicit Numbers(std::string_view line) : rest_(line) {}
  template <typename T>
  bool next(T& out) {
    if (rest_.starts_with(' ')) rest_.remove_prefix(1);
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  [[nodiscard]] bool ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Reads blocks from a text; what is not closed is left.
class Blocks {
 public:
  explicit Blocks(std::string_view text) : text_(text) {}
  enum class Outcome : std::uint8_t { block, end, damaged };
  Outcome next(Journal::Strip& out) {
    const std::size_t begin = at_;
    std::string_view line;
    if (!take(line)) return Outcome::end;
    std::uint64_t pairs = 0;
    if (!line.starts_with("strip ")) return Outcome::damaged;
    Numbers head(line.substr(6));
    out.pairs.clear();
    if (!head.next(out.number) || !head.next(pairs) || !head.next(out.decided) || !head.ended()) {
      return Outcome::damaged;
    }
    for (std::uint64_t i = 0; i < pairs; ++i) {
      if (!take(line)) return Outcome::end;
      UnitPair pair;
      Numbers numbers(line);
      if (!numbers.next(pair.a) || !numbers.next(pair.b) || !numbers.next(pair.ab) || !numbers.next(pair.ba) ||
          !numbers.ended() || !std::isfinite(pair.ab) || !std::isfinite(pair.ba)) {
        return Outcome::damaged;
      }
      out.pairs.push_back(pair);
    }
    const std::size_t body = at_;
    if (!take(line)) return Outcome::end;
    const auto sum = XXH3_64bits(text_.data() + begin, body - begin);
    if (line != fmt::format("end {} {:016x}", out.number, sum)) return Outcome::damaged;
    closed_ = at_;
    return Outcome::block;
  }
  [[nodiscard]] std::size_t closed() const { return closed_; }

 private:
  bool take(std::string_view& line) {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t closed_ = 0;
};

}  // namespace

std::string journal_head(std::string_view description) {
  return std::string(kConcordancesMagic).append(kVersion).append(description).append("\n");
}

std::string block_text(const Journal::Strip& strip) {
  std::string text = fmt::format("strip {} {} {}\n", strip.number, strip.pairs.size(), strip.decided);
  for (const UnitPair& pair : strip.pairs) text += fmt::format("{} {} {} {}\n", pair.a, pair.b, pair.ab, pair.ba);
  text += fmt::format("end {} {:016x}\n", strip.number, XXH3_64bits(text.data(), text.size()));
  return text;
}

Result<Journal> Journal::read(const std::filesystem::path& path) {
  std::error_code problem;
  if (std::filesystem::is_other(path, problem)) return fail(unreadable(path, "is a pipe or device, not a file"));
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(unreadable(path, "cannot be opened"));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse(text, path);
}

Result<Journal> Journal::parse(std::string_view text, const std::filesystem::path& path) {
  const std::size_t end = text.find('\n');
  Journal out;
  const std::string head = std::string(kConcordancesMagic).append(kVersion);
  // Killed while the first line was written: nothing was done yet.
  if (end == std::string_view::npos && head.starts_with(text.substr(0, head.size()))) return out;
  if (end == std::string_view::npos || !text.starts_with(head))
    return fail("journal-unreadable", "is no journal of concordances", Place{path.string(), {}, {}, 0, 0},
                "give another --out");
  out.description = text.substr(head.size(), end - head.size());
  out.bytes = end + 1;
  Blocks blocks(text.substr(end + 1));
  for (Strip strip;;) {
    const auto outcome = blocks.next(strip);
    out.damaged = outcome == Blocks::Outcome::damaged;
    if (outcome != Blocks::Outcome::block) break;
    out.strips.push_back(strip);
  }
  out.bytes += blocks.closed();
  return out;
}

Error JournalWriter::problem() const {
  const int reason = errno;
  return Error{reason == ENOSPC || reason == EDQUOT ? "disk-full" : "write-failed",
               "cannot be written: " + std::generic_category().message(reason), Place{path_.string(), {}, {}, 0, 0},
               "the same command continues where this one ended"};
}

Result<void> JournalWriter::begin(const std::filesystem::path& path, const std::string& description,
                                  std::uint64_t bytes) {
  path_ = path;
  file_ = FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.ok()) return fail(problem());
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    return fail("journal-busy", "another process writes this journal", Place{path.string(), {}, {}, 0, 0},
                "wait for it, or give another --out");
  }
  end_ = static_cast<off_t>(bytes);
  if (::ftruncate(file_.number(), end_) != 0) return fail(problem());
  if (bytes != 0) return {};
  // On the disk before anything else, so that a crash leaves no file that is not known as a journal.
  if (auto done = write(journal_head(description)); !done) return done;
  return ::fsync(file_.number()) == 0 ? Result<void>() : fail(problem());
}

Result<void> JournalWriter::append(const Journal::Strip& strip) { return write(block_text(strip)); }

Result<void> JournalWriter::write(std::string_view text) {
  if (!write_all(file_.number(), text, end_)) return fail(problem());
  end_ += static_cast<off_t>(text.size());
  return {};
}

Result<void> JournalWriter::close() {
  const bool synced = ::fsync(file_.number()) == 0;
  const Error error = problem();
  if (!synced) return fail(error);
  return file_.close() ? Result<void>() : fail(problem());
}

}  // namespace rondo::concordances
