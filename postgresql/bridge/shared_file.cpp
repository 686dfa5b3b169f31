// Segments in files that all processes of a server map. A file is written under another name first and never changed
// afterwards; its name is that of a segment, which is never changed either, so a file cannot be out of date. It is
// checked from beginning to end by each process that maps it, for files may be damaged.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include "bridge/guard.h"
#include "bridge/stored.h"

namespace rondo::postgresql {
namespace {

/// What PostgreSQL removes when it starts, and what no backup copies: names of temporary files begin like this.
constexpr std::string_view kPrefix = "pgsql_tmp_rondo_";
constexpr char kFileMagic[8] = {'R', 'O', 'N', 'D', 'O', 'P', 'G', '1'};
/// The removed rows are not among them, for they change.
constexpr std::array kShared = {RONDO_STREAM_MELODIES, RONDO_STREAM_TIDS, RONDO_STREAM_PARTIAL};

struct FileHeader {
  char magic[8];
  std::uint64_t sizes[kShared.size()];
  std::uint64_t sums[kShared.size()];
  std::uint64_t reserved;
};
static_assert(sizeof(FileHeader) == 64);

std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

bool write_all(int file, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(file, at, size);
    if (written < 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

struct SharedFile {
  std::string path;
  std::uint64_t size;
  timespec used;
};

/// Those of a folder. By functions of C: iterating by std::filesystem ends the process where there is no memory.
std::vector<SharedFile> shared_files(const char* folder) {
  std::vector<SharedFile> out;
  const auto close_folder = [](DIR* at) { closedir(at); };
  const std::unique_ptr<DIR, decltype(close_folder)> open(opendir(folder), close_folder);
  if (!open) return out;
  while (const dirent* entry = readdir(open.get())) {  // NOLINT(concurrency-mt-unsafe): the folder is this function's
    const std::string_view name = entry->d_name;
    if (!name.starts_with(kPrefix)) continue;
    std::string path = fmt::format("{}/{}", folder, name);
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) continue;
    out.push_back({std::move(path), static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  return out;
}

/// Removes the oldest until what remains leaves room for `size` more.
bool make_room(const char* folder, std::uint64_t limit, std::uint64_t size) {
  if (size > limit) return false;
  std::vector<SharedFile> files = shared_files(folder);
  std::uint64_t sum = size;
  for (const SharedFile& file : files) sum += file.size;
  std::sort(files.begin(), files.end(), [](const SharedFile& a, const SharedFile& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec) < std::tie(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const SharedFile& file : files) {
    if (sum <= limit) break;
    (void)unlink(file.path.c_str());
    sum -= file.size;
  }
  return sum <= limit;
}

}  // namespace

std::string shared_name(const char* folder, const RondoSegmentId& id) {
  std::string name = fmt::format("{}/{}", folder, kPrefix);
  for (const std::uint8_t byte : id.bytes) name += fmt::format("{:02x}", byte);
  return name;
}

std::optional<StoredSegment> map_shared(const char* folder, const RondoSegmentId& id) {
  const std::string name = shared_name(folder, id);
  const Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));  // NOLINT: a C function
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(FileHeader)) return std::nullopt;
  void* const address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) return std::nullopt;  // NOLINT: a macro of the system
  std::shared_ptr<const void> memory(address, [size](const void* at) { munmap(const_cast<void*>(at), size); });
  FileHeader header{};
  std::memcpy(&header, address, sizeof header);
  if (std::memcmp(header.magic, kFileMagic, sizeof header.magic) != 0) return std::nullopt;
  RondoBytes streams[RONDO_STREAMS] = {};
  std::uint64_t at = sizeof header;
  for (std::size_t i = 0; i < kShared.size(); ++i) {
    if (header.sizes[i] > size || at + padded(header.sizes[i]) > size) return std::nullopt;
    streams[kShared[i]] = {static_cast<const char*>(address) + at, header.sizes[i]};
    at += padded(header.sizes[i]);
    if (XXH3_64bits(streams[kShared[i]].data, header.sizes[i]) != header.sums[i]) return std::nullopt;
  }
  auto stored = StoredSegment::of(streams);
  if (!stored) return std::nullopt;
  stored->memory = std::move(memory);
  (void)futimens(file.number(), nullptr);  // used now: the oldest are removed first
  return std::move(*stored);
}

bool write_shared(const char* folder, std::uint64_t limit, const RondoSegmentId& id,
                  const RondoBytes streams[RONDO_STREAMS]) {
  FileHeader header{};
  std::memcpy(header.magic, kFileMagic, sizeof header.magic);
  std::uint64_t size = sizeof header;
  for (std::size_t i = 0; i < kShared.size(); ++i) {
    header.sizes[i] = streams[kShared[i]].size;
    header.sums[i] = XXH3_64bits(streams[kShared[i]].data, streams[kShared[i]].size);
    size += padded(header.sizes[i]);
  }
  (void)mkdir(folder, S_IRWXU);
  if (!make_room(folder, limit, size)) return false;
  const std::string name = shared_name(folder, id);
  const std::string draft = fmt::format("{}.{}", name, getpid());
  bool good = true;
  {
    const Descriptor file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));  // NOLINT
    if (file.number() < 0) return false;
    good = write_all(file.number(), &header, sizeof header);
    for (const RondoStream stream : kShared) {
      constexpr char kZeros[8] = {};
      good = good && write_all(file.number(), streams[stream].data, streams[stream].size) &&
             write_all(file.number(), kZeros, padded(streams[stream].size) - streams[stream].size);
    }
  }
  if (good) good = rename(draft.c_str(), name.c_str()) == 0;
  if (!good) unlink(draft.c_str());
  return good;
}

}  // namespace rondo::postgresql
