#include "search/index/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

namespace rondo::index {
namespace {

constexpr char kMagic[8] = {'R', 'O', 'N', 'D', 'O', 'I', 'D', 'X'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kSlot = 4096;  ///< bytes of a superblock

struct Superblock {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t generation;
  std::uint64_t contents_offset;
  std::uint64_t contents_length;
  std::uint64_t contents_checksum;
  std::uint64_t checksum;  ///< of all before it
};

std::uint64_t checksum_of(const Superblock& block) { return XXH3_64bits(&block, offsetof(Superblock, checksum)); }

Error problem(const char* code, const std::filesystem::path& path, std::string what, std::string hint) {
  return Error{code, std::move(what), Place{path.string(), {}, {}, 0, 0}, std::move(hint)};
}
Error damaged(const std::filesystem::path& path) {
  return problem("index-damaged", path, "the index is damaged", "make it anew with 'rondo index --rebuild'");
}
Error system_problem(const char* code, const std::filesystem::path& path, const char* doing) {
  const std::string why = std::generic_category().message(errno);
  return problem(errno == ENOSPC || errno == EDQUOT ? "disk-full" : code, path, std::string(doing) + ": " + why,
                 "is the folder writable, is there room?");
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool ok() const { return number_ >= 0; }

 private:
  int number_;
};

bool write_at(int file, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

// The table of contents is a plain sequence of 64-bit numbers.
std::string encoded(const Contents& contents) {
  std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(contents.last_voice), contents.removed_voices,
                                      contents.samples.size(), contents.parts.size()};
  for (const Sample& sample : contents.samples) {
    words.push_back(static_cast<std::uint64_t>(sample.voice));
    words.push_back(sample.hash);
  }
  for (const Contents::Part& part : contents.parts) {
    words.insert(words.end(), {part.offset, part.length, part.removed.size()});
    words.insert(words.end(), part.removed.begin(), part.removed.end());
  }
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)};  // NOLINT: bytes
}

/// False: it does not make sense.
bool decode(std::span<const std::byte> bytes, std::uint64_t file_size, Contents& out) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  std::size_t at = 0;
  const auto left = [&] { return words.size() - at; };
  if (left() < 4) return false;
  out.last_voice = static_cast<std::int64_t>(words[at++]);
  out.removed_voices = words[at++];
  const std::uint64_t samples = words[at++];
  const std::uint64_t parts = words[at++];
  if (samples > left() / 2) return false;
  for (std::uint64_t i = 0; i < samples; ++i, at += 2) {
    out.samples.push_back({static_cast<std::int64_t>(words[at]), words[at + 1]});
  }
  for (std::uint64_t i = 0; i < parts; ++i) {
    if (left() < 3) return false;
    Contents::Part part{words[at], words[at + 1], {}};
    const std::uint64_t removed = words[at + 2];
    at += 3;
    if (removed > left() || part.offset > file_size || part.length > file_size - part.offset || part.offset % 8 != 0) {
      return false;
    }
    for (std::uint64_t r = 0; r < removed; ++r) part.removed.push_back(static_cast<std::uint32_t>(words[at++]));
    out.parts.push_back(std::move(part));
  }
  return true;
}

/// The superblock in force: of those that are whole the one with the higher generation; generation 0: there is none.
Superblock superblock_of(std::span<const std::byte> bytes) {
  Superblock found{};
  for (const std::uint64_t slot : {std::uint64_t{0}, kSlot}) {
    Superblock block{};
    if (bytes.size() < slot + sizeof block) break;
    std::memcpy(&block, bytes.data() + slot, sizeof block);
    if (std::memcmp(block.magic, kMagic, sizeof kMagic) != 0 || block.checksum != checksum_of(block)) continue;
    if (block.generation > found.generation) found = block;
  }
  return found;
}

Superblock make_superblock(std::uint64_t generation, std::uint64_t offset, std::string_view contents) {
  Superblock block{};
  std::memcpy(block.magic, kMagic, sizeof kMagic);
  block.version = kVersion;
  block.generation = generation;
  block.contents_offset = offset;
  block.contents_length = contents.size();
  block.contents_checksum = XXH3_64bits(contents.data(), contents.size());
  block.checksum = checksum_of(block);
  return block;
}

std::string_view bytes_of(const Superblock& block) {
  return {reinterpret_cast<const char*>(&block), sizeof block};  // NOLINT: bytes
}

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + 7) / 8 * 8; }

/// Segment and contents from `end` on, then the superblock, each safe on disk before the next is begun.
bool write_state(int file, std::uint64_t end, std::uint64_t generation, std::string_view segment, Contents& contents) {
  if (!segment.empty()) {
    contents.parts.back().offset = end;
    contents.parts.back().length = segment.size();
    if (!write_at(file, segment, end)) return false;
    end = aligned(end + segment.size());
  }
  const std::string table = encoded(contents);
  if (!write_at(file, table, end) || ::fdatasync(file) != 0) return false;
  const Superblock block = make_superblock(generation, end, table);
  return write_at(file, bytes_of(block), generation % 2 == 0 ? 0 : kSlot) && ::fdatasync(file) == 0;
}

}  // namespace

namespace {

/// Memory for a whole file, given back when nobody refers to it any more.
Mapping allocate(std::size_t size) {
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return {};
  ::madvise(at, size, MADV_HUGEPAGE);  // a wish: without it everything works as well
  Mapping out;
  out.keeper = std::shared_ptr<const void>(at, [size](const void* mapped) {
    ::munmap(const_cast<void*>(mapped), size);  // NOLINT(cppcoreguidelines-pro-type-const-cast): as mmap gave it
  });
  out.bytes = {static_cast<const std::byte*>(at), size};
  return out;
}

/// False: the file is shorter than it was, or cannot be read.
bool read_whole(int file, std::span<const std::byte> into) {
  auto* at = const_cast<std::byte*>(into.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): just allocated
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t size = ::pread(file, at + done, into.size() - done, static_cast<off_t>(done));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    done += static_cast<std::size_t>(size);
  }
  return true;
}

Result<OpenFile> open_once(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) {
    if (errno == ENOENT) return fail(problem("index-missing", path, "there is no index", "'rondo index' makes it"));
    return fail(system_problem("index-unreadable", path, "cannot open the index"));
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return fail(system_problem("index-unreadable", path, "cannot read it"));
  if (!S_ISREG(status.st_mode)) {
    return fail(problem("index-unreadable", path, "the index is not a file", "remove it, or name another collection"));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < 2 * kSlot) return fail(damaged(path));
  OpenFile out;
  // Read, not mapped: a mapped file that is cut off or overwritten by another program would take this one along
  // (SIGBUS), or change behind the checks.
  out.mapping = allocate(size);
  if (out.mapping.keeper == nullptr) return fail(system_problem("out-of-memory", path, "no memory for the index"));
  // The superblocks come first and refer only to what was written before them.
  if (!read_whole(file.number(), out.mapping.bytes)) return fail(damaged(path));
  const Superblock block = superblock_of(out.mapping.bytes);
  if (block.generation == 0) return fail(damaged(path));
  if (block.version != kVersion) {
    return fail(problem("index-version", path, "another version of Rondo made this index",
                        "make it anew with 'rondo index --rebuild'"));
  }
  if (block.contents_offset > size || block.contents_length > size - block.contents_offset) return fail(damaged(path));
  const auto table = out.mapping.bytes.subspan(block.contents_offset, block.contents_length);
  if (XXH3_64bits(table.data(), table.size()) != block.contents_checksum || !decode(table, size, out.contents)) {
    return fail(damaged(path));
  }
  return out;
}

}  // namespace

Result<OpenFile> open_file(const std::filesystem::path& path) {
  auto opened = open_once(path);
  // An addition between the look at the file's size and the reading of its head looks like damage.
  for (int again = 0; again < 2 && !opened && opened.error().code == "index-damaged"; ++again) opened = open_once(path);
  return opened;
}

Result<void> write_file(const std::filesystem::path& path, std::string_view segment, Contents contents) {
  const std::filesystem::path fresh = path.string() + ".new";
  {
    const Descriptor file(::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.ok()) return fail(system_problem("index-unwritable", path, "cannot write the index"));
    if (::ftruncate(file.number(), 2 * kSlot) != 0 || !write_state(file.number(), 2 * kSlot, 1, segment, contents)) {
      auto error = system_problem("index-unwritable", path, "cannot write the index");
      ::unlink(fresh.c_str());
      return fail(std::move(error));
    }
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) {
    auto error = system_problem("index-unwritable", path, "cannot put the new index in place");
    ::unlink(fresh.c_str());
    return fail(std::move(error));
  }
  return {};
}

Result<void> append_to_file(const std::filesystem::path& path, std::string_view segment, Contents contents) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status {};
  if (!file.ok() || ::fstat(file.number(), &status) != 0) {
    return fail(system_problem("index-unwritable", path, "cannot write the index"));
  }
  std::string head(2 * kSlot, '\0');
  if (::pread(file.number(), head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) {
    return fail(damaged(path));
  }
  const Superblock old = superblock_of(std::as_bytes(std::span(head)));
  if (old.generation == 0) return fail(damaged(path));
  const auto end = aligned(static_cast<std::uint64_t>(status.st_size));
  if (!write_state(file.number(), end, old.generation + 1, segment, contents)) {
    return fail(system_problem("index-unwritable", path, "cannot write the index"));
  }
  return {};
}

Result<FileLock> FileLock::of(const std::filesystem::path& path) {
  const std::filesystem::path name = path.string() + ".lock";
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return fail(system_problem("index-unwritable", path, "cannot write beside it"));
    FileLock lock(descriptor, {});
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      // Whoever held it before took the file away: then this is a lock on nothing, and another may hold the real one.
      struct stat mine {};
      struct stat there {};
      if (::fstat(descriptor, &mine) == 0 && ::stat(name.c_str(), &there) == 0 && mine.st_ino == there.st_ino) {
        lock.name_ = name;
        return lock;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 1 : 100));
  }
  return fail(problem("index-busy", path, "another process is making this index", "try again when it is done"));
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  if (!name_.empty()) ::unlink(name_.c_str());
  ::close(descriptor_);
}

}  // namespace rondo::index
