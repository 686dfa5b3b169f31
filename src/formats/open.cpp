#include "rondo/formats/open.h"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "base/streams.h"
#include "formats/open/archive.h"
#include "formats/open/file_source.h"
#include "formats/open/score_zip.h"
#include "melody/find_melody.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using open::Archive;
using open::ArchiveKind;
using open::FileSource;

constexpr int kFolderDepth = 256;
constexpr int kZipDepth = 2;
constexpr std::size_t kHead = 1024;

/// A document in memory, owned.
class OwnedSource final : public ByteSource {
 public:
  explicit OwnedSource(std::string bytes) : bytes_(std::move(bytes)), source_(bytes_) {}
  Result<std::size_t> read(std::span<char> into) override { return source_.read(into); }

 private:
  std::string bytes_;
  MemorySource source_;
};

/// Counts the bytes read, to limit the expansion ratio of archives.
class CountedSource final : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> inner, open::Progress progress)
      : inner_(std::move(inner)), progress_(std::move(progress)) {}
  Result<std::size_t> read(std::span<char> into) override {
    auto size = inner_->read(into);
    if (size) progress_(*size);
    return size;
  }

 private:
  std::unique_ptr<ByteSource> inner_;
  open::Progress progress_;
};

Diagnostic named(Diagnostic why, const std::string& name) {
  why.place.file = name;
  return why;
}

Diagnostic about(const std::string& name, std::string code, std::string message, std::string hint = {}) {
  Diagnostic why;
  why.code = std::move(code);
  why.message = std::move(message);
  why.hint = std::move(hint);
  why.place.file = name;
  return why;
}

/// Opens one file on disk and nested archives in it.
class Opener {
 public:
  Opener(FileVisitor& visitor, const OpenLimits& limits) : visitor_(visitor) { budget_.limits = limits; }

  bool disk_file(const std::string& path, const std::string& name) {
    if (!visitor_.wanted(path, name)) return true;
    start();
    auto file = FileSource::open(path, progress());
    if (!file) return visitor_.problem(named(std::move(file.error()), name));
    FileSource* seekable = file->get();
    const std::string head = seekable->head(kHead);
    const ArchiveKind kind = open::archive_kind(head);
    if (kind == ArchiveKind::none) {
      // The beginning of a pipe cannot be inspected without reading it.
      return head.empty() ? stream(name, std::move(*file), 0, false) : visitor_.file(name, std::move(*file));
    }
    return archive(name, head, std::move(*file), seekable, kind, 0);
  }

  bool bytes(const std::string& name, std::unique_ptr<ByteSource> source) {
    start();
    return stream(name, std::make_unique<CountedSource>(std::move(source), progress()), 0, false);
  }

  bool standard_input() {
    if (!visitor_.wanted("-", "stdin")) return true;
    start();
    return stream("stdin", FileSource::borrow(STDIN_FILENO, progress()), 0, false);
  }

 private:
  void start() {
    budget_.read = 0;
    budget_.unfolded = 0;
  }
  open::Progress progress() {
    return [this](std::uint64_t bytes) {
      budget_.read += bytes;
      visitor_.progress(bytes);
    };
  }

  /// A stream that can only be read sequentially. `zips` and `in_gzip` describe the nesting.
  bool stream(const std::string& name, std::unique_ptr<ByteSource> source, int zips, bool in_gzip) {
    auto peeked = std::make_unique<PeekedSource>(std::move(source));
    auto looked = peeked->head(kHead);
    if (!looked) return visitor_.problem(named(std::move(looked.error()), name));
    const std::string head(*looked);
    const ArchiveKind kind = open::archive_kind(head);
    if (kind == ArchiveKind::none) return visitor_.file(name, std::move(peeked));
    const bool too_deep = kind == ArchiveKind::gzip ? in_gzip : zips >= kZipDepth;
    if (too_deep) {
      return visitor_.problem(about(name, "archive-too-deep", "archives are nested too deeply to be opened",
                                    "unpack the outermost one first"));
    }
    return archive(name, head, std::move(peeked), nullptr, kind, zips);
  }

  bool archive(const std::string& name, std::string_view head, std::unique_ptr<ByteSource> source, FileSource* seekable,
               ArchiveKind kind, int zips) {
    Archive opened(std::move(source), seekable, kind, budget_);
    if (kind == ArchiveKind::gzip) return gzip(name, opened, zips);
    if (!open::is_score_zip(name, head)) return zip(name, opened, zips + 1);
    auto score = open::read_score_zip(opened);
    if (!score) return visitor_.problem(named(std::move(score.error()), name));
    return visitor_.file(name, std::make_unique<OwnedSource>(std::move(*score)));
  }

  bool gzip(const std::string& name, Archive& opened, int zips) {
    auto more = opened.next();
    if (!more) return visitor_.problem(named(std::move(more.error()), name));
    if (!*more) return visitor_.file(name, std::make_unique<MemorySource>(std::string_view()));
    return stream(name, opened.source(), zips, true);
  }

  bool zip(const std::string& name, Archive& opened, int zips) {
    for (;;) {
      auto more = opened.next();
      if (!more) return visitor_.problem(named(std::move(more.error()), name));
      if (!*more) return true;
      // Files that macOS adds to zips.
      if (opened.name().starts_with("__MACOSX/") || opened.name().ends_with(".DS_Store")) continue;
      if (!stream(name + "/" + opened.name(), opened.source(), zips, false)) return false;
      if (budget_.exceeded()) return true;  // already reported when the limit was exceeded
    }
  }

  FileVisitor& visitor_;
  open::Budget budget_;
};

/// Forwards pieces reduced to their melody.
class MelodySink final : public PieceSink {
 public:
  MelodySink(PieceSink& inner, const std::string& file) : inner_(inner), file_(file) {}

  bool piece(Piece&& piece) override {
    if (std::string said = reduce_to_melody(piece); !said.empty()) {
      inner_.warn({"melody-chosen", std::move(said), {file_, piece.id, {}, 0, 0}, "--voices all keeps every voice"});
    }
    return inner_.piece(std::move(piece));
  }
  void warn(Diagnostic warning) override { inner_.warn(std::move(warning)); }
  bool skip(Diagnostic why) override { return inner_.skip(std::move(why)); }

 private:
  PieceSink& inner_;
  const std::string& file_;
};

/// Whether a folder is in a pseudo file system (/proc, /sys): it is unbounded, and reading some of its files blocks
/// forever.
bool shows_the_system(const fs::path& folder) {
  // From statfs(2).
  constexpr std::uint32_t kKinds[] = {0x9FA0 /*proc*/,         0x62656572 /*sysfs*/,   0x64626720 /*debugfs*/,
                                      0x74726163 /*tracefs*/,  0x63677270 /*cgroup2*/, 0x27E0EB /*cgroup*/,
                                      0x73636673 /*security*/, 0x1CD1 /*devpts*/,      0xCAFE4A11 /*bpf*/};
  struct statfs status = {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  const auto kind = static_cast<std::uint32_t>(status.f_type);
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

/// Walks a folder and passes each file's path and name to `on_file`, problems to `on_problem`. Both return false to end
/// the walk.
template <typename OnFile, typename OnProblem>
class FolderWalk {
 public:
  FolderWalk(OnFile on_file, OnProblem on_problem) : on_file_(std::move(on_file)), on_problem_(std::move(on_problem)) {}

  bool folder(const fs::path& path, const std::string& name, int depth = 0) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return on_problem_(open::system_error(errno, name));
    if (!seen_.insert({status.st_dev, status.st_ino}).second) return true;
    if (depth > kFolderDepth) {
      return on_problem_(about(name, "folder-too-deep", "folders are nested too deeply"));
    }
    if (shows_the_system(path)) {
      return on_problem_(about(name.empty() ? path.string() : name, "folder-of-system",
                               "this folder is a pseudo file system and contains no music", "name another folder"));
    }
    std::error_code error;
    std::vector<fs::path> entries;
    for (auto it = fs::directory_iterator(path, error); !error && it != fs::directory_iterator(); it.increment(error)) {
      if (it->path().filename().native().front() != '.') entries.push_back(it->path());
    }
    if (error && !on_problem_(open::system_error(error.value(), name))) return false;
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    for (const fs::path& entry : entries) {
      if (!item(entry, name, depth)) return false;
    }
    return true;
  }

 private:
  bool item(const fs::path& entry, const std::string& folder_name, int depth) {
    const std::string own = open::printable_name(entry.filename().native());
    const std::string name = folder_name.empty() ? own : folder_name + "/" + own;
    struct stat status = {};
    if (::stat(entry.c_str(), &status) != 0) return on_problem_(open::system_error(errno, name));
    return S_ISDIR(status.st_mode) ? folder(entry, name, depth + 1) : on_file_(entry, name, status);
  }

  OnFile on_file_;
  OnProblem on_problem_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

/// The folder's name is the prefix of the names of its files; "." and ".." have no stable name.
std::string folder_name(const std::string& path) {
  fs::path normal = fs::path(path).lexically_normal();
  if (!normal.has_filename()) normal = normal.parent_path();
  const std::string name = normal.filename().native();
  return name == "." || name == ".." ? std::string() : open::printable_name(name);
}

}  // namespace

Result<void> open_path(const std::string& path, FileVisitor& visitor, const OpenLimits& limits) {
  Opener opener(visitor, limits);
  if (path == "-") {
    opener.standard_input();
    return {};
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return fail(open::system_error(errno, path));
  if (!S_ISDIR(status.st_mode)) {
    opener.disk_file(path, open::printable_name(fs::path(path).lexically_normal().native()));
    return {};
  }
  const auto on_file = [&opener](const fs::path& file, const std::string& name, const struct stat& /*status*/) {
    return opener.disk_file(file.native(), name);
  };
  const auto on_problem = [&visitor](Diagnostic why) { return visitor.problem(std::move(why)); };
  FolderWalk(on_file, on_problem).folder(path, folder_name(path));
  return {};
}

void open_bytes(const std::string& name, std::unique_ptr<ByteSource> source, FileVisitor& visitor,
                const OpenLimits& limits) {
  Opener(visitor, limits).bytes(name, std::move(source));
}

std::uint64_t bytes_below(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return 0;
  if (S_ISREG(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
  if (!S_ISDIR(status.st_mode)) return 0;
  std::uint64_t sum = 0;
  const auto on_file = [&sum](const fs::path& /*file*/, const std::string& /*name*/, const struct stat& file_status) {
    if (S_ISREG(file_status.st_mode)) sum += static_cast<std::uint64_t>(file_status.st_size);
    return true;
  };
  const auto on_problem = [](const Diagnostic& /*why*/) { return true; };
  FolderWalk(on_file, on_problem).folder(path, folder_name(path));
  return sum;
}

Result<const Format*> read_any(std::unique_ptr<ByteSource> source, const ReadOptions& options, PieceSink& sink) {
  PeekedSource peeked(std::move(source));
  auto head = peeked.head();
  if (!head) return fail(named(std::move(head.error()), options.file));
  if (head->empty()) return fail(about(options.file, "file-empty", "the file is empty"));
  const Format* format = recognise(*head);
  if (format == nullptr) {
    std::string known;
    for (const Format& one : formats()) known += (known.empty() ? "" : ", ") + std::string(one.title);
    return fail(about(options.file, "format-unknown", "unknown format; these are read: " + known));
  }
  MelodySink melodies(sink, options.file);
  PieceSink& into = options.voices == VoiceSelection::melody ? static_cast<PieceSink&>(melodies) : sink;
  if (auto done = format->read(peeked, options, into); !done) return fail(named(std::move(done.error()), options.file));
  return format;
}

}  // namespace rondo
