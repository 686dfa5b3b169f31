#pragma once

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "statistics/random.h"
#include "unit/world/sim_clock.h"

/// The disk of a simulated world, as SQLite sees it: a VFS in front of the system's. It can fail once, lose power in
/// the middle of an operation, and then forget any part of what was written and not synced, 512 bytes at a time.
namespace rondo::world {

class SimDisk {
 public:
  enum class Fault : std::uint8_t { none, full, read, write, sync };

  static SimDisk& the() {
    static SimDisk disk;
    return disk;
  }

  /// From now on in this program, for every connection opened later.
  void install();

  void begin(std::uint64_t seed) {
    random_ = statistics::Random(seed);
    reset();
  }
  void end() { reset(); }

  /// The n-th operation of its kind from now fails, once.
  void fail_at(Fault fault, std::uint64_t n) {
    fault_ = fault;
    until_fault_ = n;
    failed_ = false;
  }
  /// Calls off what has not happened, and says whether it has.
  bool disarm() {
    fault_ = Fault::none;
    until_fault_ = until_off_ = 0;
    return std::exchange(failed_, false) || off_;
  }
  /// At the n-th change from now the program or the machine ends: nothing that follows reaches the disk.
  void off_at(std::uint64_t n) { until_off_ = n; }
  void switch_off() { off_ = true; }
  [[nodiscard]] bool off() const { return off_; }
  /// After everything was closed. With `power_lost`, what was not synced is there in part only.
  void switch_on(bool power_lost);

  /// Sets the times of files that were written to the world's; real ones would differ from run to run.
  void stamp_files() {
    for (auto& [path, when] : written_) {
      const timespec at = timespec_of(when + SimClock::kCalendar);
      const std::array<timespec, 2> times = {at, at};
      (void)::utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
    }
    written_.clear();
  }
  /// What is known of this name is that of no file any more: it was renamed or removed from outside.
  void forget(const std::string& path) {
    unsynced_.erase(path);
    written_.erase(path);
  }
  /// Another file was put there, and is on the disk.
  void note_written(const std::string& path) { written_[path] = SimClock::the().nanoseconds(); }

  // What follows is for the VFS.
  struct Change {
    std::int64_t at = 0;
    std::string before;                ///< what was there, up to the end of the file
    std::optional<std::string> after;  ///< nullopt: the file was cut off at `at`
    std::int64_t size_before = 0;
  };
  /// SQLITE_OK, or what the operation fails with.
  int before_change(Fault kind);
  int before_read();
  void note(const std::string& path, Change change) {
    unsynced_[path].push_back(std::move(change));
    note_written(path);
  }
  void synced(const std::string& path) { unsynced_.erase(path); }
  std::uint64_t random() { return random_.next(); }

  sqlite3_vfs* real = nullptr;

 private:
  void reset() {
    fault_ = Fault::none;
    until_fault_ = until_off_ = 0;
    failed_ = off_ = false;
    unsynced_.clear();
    written_.clear();
  }
  bool strike(Fault kind) {
    if (fault_ != kind || until_fault_ == 0 || --until_fault_ > 0) return false;
    fault_ = Fault::none;
    return failed_ = true;
  }
  void lose(const std::string& path, const std::vector<Change>& changes);

  statistics::Random random_{1};
  Fault fault_ = Fault::none;
  std::uint64_t until_fault_ = 0;
  std::uint64_t until_off_ = 0;
  bool failed_ = false;
  bool off_ = false;
  std::map<std::string, std::vector<Change>> unsynced_;
  std::map<std::string, std::int64_t> written_;
};

/// A file as SQLite has it open: followed in memory by that of the system's VFS.
struct SimFile {
  sqlite3_file base;
  std::string* path;  ///< null: a temporary file
  [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

namespace vfs {

inline SimFile& of(sqlite3_file* file) { return *reinterpret_cast<SimFile*>(file); }
inline const sqlite3_io_methods& methods(sqlite3_file* file) { return *of(file).real()->pMethods; }

inline std::string content(sqlite3_file* file, std::int64_t at, std::int64_t length) {
  sqlite3_int64 size = 0;
  methods(file).xFileSize(of(file).real(), &size);
  std::string out(static_cast<std::size_t>(std::max<std::int64_t>(0, std::min<std::int64_t>(length, size - at))), '\0');
  if (!out.empty()) methods(file).xRead(of(file).real(), out.data(), static_cast<int>(out.size()), at);
  return out;
}

inline std::int64_t size_of(sqlite3_file* file) {
  sqlite3_int64 size = 0;
  methods(file).xFileSize(of(file).real(), &size);
  return size;
}

inline int close(sqlite3_file* file) {
  const int code = methods(file).xClose(of(file).real());
  delete of(file).path;
  of(file).path = nullptr;
  return code;
}

inline int read(sqlite3_file* file, void* to, int amount, sqlite3_int64 at) {
  if (of(file).path != nullptr) {
    if (const int code = SimDisk::the().before_read(); code != SQLITE_OK) return code;
  }
  return methods(file).xRead(of(file).real(), to, amount, at);
}

inline int write(sqlite3_file* file, const void* from, int amount, sqlite3_int64 at) {
  if (of(file).path == nullptr) return methods(file).xWrite(of(file).real(), from, amount, at);
  SimDisk& disk = SimDisk::the();
  const int code = disk.before_change(SimDisk::Fault::write);
  // A disk that is full or fails has often taken the beginning.
  const int part = code == SQLITE_OK ? amount : disk.off() ? 0 : amount / 2;
  if (part == 0) return code;
  disk.note(*of(file).path,
            {at, content(file, at, part), std::string(static_cast<const char*>(from), static_cast<std::size_t>(part)),
             size_of(file)});
  const int done = methods(file).xWrite(of(file).real(), from, part, at);
  return code == SQLITE_OK ? done : code;
}

inline int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (of(file).path != nullptr) {
    if (const int code = SimDisk::the().before_change(SimDisk::Fault::none); code != SQLITE_OK) return code;
    const std::int64_t before = size_of(file);
    SimDisk::the().note(*of(file).path, {size, content(file, size, before - size), std::nullopt, before});
  }
  return methods(file).xTruncate(of(file).real(), size);
}

/// Nothing is synced for real: what would survive is simulated.
inline int sync(sqlite3_file* file, int /*flags*/) {
  if (of(file).path == nullptr) return SQLITE_OK;
  if (const int code = SimDisk::the().before_change(SimDisk::Fault::sync); code != SQLITE_OK) return code;
  SimDisk::the().synced(*of(file).path);
  return SQLITE_OK;
}

inline int file_size(sqlite3_file* file, sqlite3_int64* out) { return methods(file).xFileSize(of(file).real(), out); }
inline int lock(sqlite3_file* file, int kind) { return methods(file).xLock(of(file).real(), kind); }
inline int unlock(sqlite3_file* file, int kind) { return methods(file).xUnlock(of(file).real(), kind); }
inline int check_lock(sqlite3_file* file, int* out) { return methods(file).xCheckReservedLock(of(file).real(), out); }
inline int control(sqlite3_file* file, int what, void* about) {
  return methods(file).xFileControl(of(file).real(), what, about);
}
inline int sector(sqlite3_file* file) { return methods(file).xSectorSize(of(file).real()); }
inline int features(sqlite3_file* file) { return methods(file).xDeviceCharacteristics(of(file).real()); }
inline int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return methods(file).xShmMap(of(file).real(), page, size, extend, out);
}
inline int shm_lock(sqlite3_file* file, int from, int count, int flags) {
  return methods(file).xShmLock(of(file).real(), from, count, flags);
}
inline void shm_barrier(sqlite3_file* file) { methods(file).xShmBarrier(of(file).real()); }
inline int shm_unmap(sqlite3_file* file, int remove) { return methods(file).xShmUnmap(of(file).real(), remove); }

/// Version 2: without memory-mapped reads, which would not come by here.
inline const sqlite3_io_methods kMethods = {2,        close,       read,       write,   truncate, sync,     file_size,
                                            lock,     unlock,      check_lock, control, sector,   features, shm_map,
                                            shm_lock, shm_barrier, shm_unmap,  nullptr, nullptr};

inline int open(sqlite3_vfs* /*self*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  of(file).base.pMethods = nullptr;
  of(file).path = nullptr;
  sqlite3_vfs* real = SimDisk::the().real;
  const int code = real->xOpen(real, name, of(file).real(), flags, out_flags);
  if (of(file).real()->pMethods == nullptr) return code;
  of(file).base.pMethods = &kMethods;
  if (name != nullptr) of(file).path = new std::string(name);
  return code;
}

inline int remove(sqlite3_vfs* /*self*/, const char* name, int sync_folder) {
  if (const int code = SimDisk::the().before_change(SimDisk::Fault::none); code != SQLITE_OK) return code;
  SimDisk::the().forget(name);
  (void)sync_folder;
  return SimDisk::the().real->xDelete(SimDisk::the().real, name, 0);
}

inline int randomness(sqlite3_vfs* /*self*/, int bytes, char* out) {
  for (int i = 0; i < bytes; ++i) out[i] = static_cast<char>(SimDisk::the().random());
  return bytes;
}

inline int sleep(sqlite3_vfs* self, int microseconds) {
  if (!SimClock::the().running()) return SimDisk::the().real->xSleep(self, microseconds);
  SimClock::the().advance(std::int64_t{microseconds} * 1000);
  return microseconds;
}

inline int now(sqlite3_vfs* /*self*/, sqlite3_int64* out) {
  constexpr sqlite3_int64 kUnixEpoch = 24405875LL * 8640000LL;  // of the Julian day, in milliseconds
  timespec time{};
  (void)clock_gettime(CLOCK_REALTIME, &time);
  *out = kUnixEpoch + nanoseconds_of(time) / 1'000'000;
  return SQLITE_OK;
}

}  // namespace vfs

inline void SimDisk::install() {
  static sqlite3_vfs own;
  if (real != nullptr) return;
  real = sqlite3_vfs_find(nullptr);
  own = *real;
  own.zName = "world";
  own.szOsFile = static_cast<int>(sizeof(SimFile)) + real->szOsFile;
  own.pNext = nullptr;
  own.xOpen = vfs::open;
  own.xDelete = vfs::remove;
  own.xRandomness = vfs::randomness;
  own.xSleep = vfs::sleep;
  own.xCurrentTimeInt64 = vfs::now;
  if (sqlite3_vfs_register(&own, 1) != SQLITE_OK) throw std::runtime_error("SQLite does not take the world's disk");
}

inline int SimDisk::before_change(Fault kind) {
  if (!off_ && until_off_ > 0 && --until_off_ == 0) off_ = true;
  if (off_) return SQLITE_IOERR_WRITE;
  if (kind == Fault::write && strike(Fault::full)) return SQLITE_FULL;
  if (kind == Fault::write && strike(Fault::write)) return SQLITE_IOERR_WRITE;
  if (kind == Fault::sync && strike(Fault::sync)) return SQLITE_IOERR_FSYNC;
  return SQLITE_OK;
}

inline int SimDisk::before_read() {
  if (off_) return SQLITE_IOERR_READ;
  return strike(Fault::read) ? SQLITE_IOERR_READ : SQLITE_OK;
}

inline void SimDisk::lose(const std::string& path, const std::vector<Change>& changes) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;  // it was removed
  const auto put = [&](std::string_view text, std::int64_t at) {
    if (::pwrite(file, text.data(), text.size(), at) != static_cast<ssize_t>(text.size())) {
      throw std::runtime_error("the real disk fails");
    }
  };
  const auto cut = [&](std::int64_t size) {
    if (::ftruncate(file, size) != 0) throw std::runtime_error("the real disk fails");
  };
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    put(change->before, change->at);
    cut(change->size_before);
  }
  constexpr std::int64_t kSector = 512;
  const std::uint64_t survivors = random_.below(4);  // of four parts, on the average
  for (const Change& change : changes) {
    if (!change.after) {
      if (random_.below(4) < survivors) cut(change.at);
      continue;
    }
    const std::string_view text = *change.after;
    for (std::int64_t at = change.at; at < change.at + static_cast<std::int64_t>(text.size());) {
      const std::int64_t end =
          std::min(change.at + static_cast<std::int64_t>(text.size()), (at / kSector + 1) * kSector);
      const auto from = static_cast<std::size_t>(at - change.at);
      if (random_.below(4) < survivors) put(text.substr(from, static_cast<std::size_t>(end - at)), at);
      at = end;
    }
  }
  ::close(file);
  note_written(path);
}

inline void SimDisk::switch_on(bool power_lost) {
  if (power_lost) {
    for (const auto& [path, changes] : unsynced_) lose(path, changes);
  }
  unsynced_.clear();
  disarm();
  off_ = failed_ = false;
}

}  // namespace rondo::world
