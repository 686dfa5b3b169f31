#include "store/temp_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/checked_files.h"

namespace rondo {

/// Followed in memory by the file of the system that it wraps.
struct TempFiles::File {
  sqlite3_file head;
  TempFiles* owner;
  std::uint64_t size;
  [[nodiscard]] sqlite3_file* inner() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

struct TempFiles::Methods {
  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static sqlite3_file* inner(sqlite3_file* file) { return of(file).inner(); }

  static int close(sqlite3_file* file) {
    File& own = of(file);
    own.owner->used_ -= own.size;
    return own.inner()->pMethods->xClose(own.inner());
  }
  static int read(sqlite3_file* file, void* into, int size, sqlite3_int64 at) {
    if (of(file).owner->clock_.late()) return SQLITE_INTERRUPT;
    return inner(file)->pMethods->xRead(inner(file), into, size, at);
  }
  static int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
    File& own = of(file);
    TempFiles& owner = *own.owner;
    if (owner.clock_.late()) return SQLITE_INTERRUPT;
    const std::uint64_t end = static_cast<std::uint64_t>(at) + static_cast<std::uint64_t>(size);
    const std::uint64_t more = end > own.size ? end - own.size : 0;
    if (more > owner.most_bytes_ - owner.used_) {
      owner.full_ = true;
      return SQLITE_FULL;
    }
    owner.used_ += more;
    own.size += more;
    return own.inner()->pMethods->xWrite(own.inner(), from, size, at);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    File& own = of(file);
    const std::uint64_t kept = std::min(own.size, static_cast<std::uint64_t>(size));
    own.owner->used_ -= own.size - kept;
    own.size = kept;
    return own.inner()->pMethods->xTruncate(own.inner(), size);
  }
  static int sync(sqlite3_file* file, int flags) { return inner(file)->pMethods->xSync(inner(file), flags); }
  static int file_size(sqlite3_file* file, sqlite3_int64* size) {
    return inner(file)->pMethods->xFileSize(inner(file), size);
  }
  static int lock(sqlite3_file* file, int kind) { return inner(file)->pMethods->xLock(inner(file), kind); }
  static int unlock(sqlite3_file* file, int kind) { return inner(file)->pMethods->xUnlock(inner(file), kind); }
  static int check_lock(sqlite3_file* file, int* out) {
    return inner(file)->pMethods->xCheckReservedLock(inner(file), out);
  }
  static int control(sqlite3_file* file, int what, void* argument) {
    // Space that is reserved in advance would not be counted.
    if (what == SQLITE_FCNTL_SIZE_HINT || what == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
    return inner(file)->pMethods->xFileControl(inner(file), what, argument);
  }
  static int sector_size(sqlite3_file* file) { return inner(file)->pMethods->xSectorSize(inner(file)); }
  static int characteristics(sqlite3_file* file) { return inner(file)->pMethods->xDeviceCharacteristics(inner(file)); }

  /// The first version has no mapped memory, so every access comes by here.
  static const sqlite3_io_methods* table() {
    static const sqlite3_io_methods methods_of_all = [] {
      sqlite3_io_methods methods = {};
      methods.iVersion = 1;
      methods.xClose = close;
      methods.xRead = read;
      methods.xWrite = write;
      methods.xTruncate = truncate;
      methods.xSync = sync;
      methods.xFileSize = file_size;
      methods.xLock = lock;
      methods.xUnlock = unlock;
      methods.xCheckReservedLock = check_lock;
      methods.xFileControl = control;
      methods.xSectorSize = sector_size;
      methods.xDeviceCharacteristics = characteristics;
      return methods;
    }();
    return &methods_of_all;
  }
};

TempFiles::TempFiles(SqlClock& clock, std::uint64_t most_bytes)
    : clock_(clock),
      most_bytes_(most_bytes),
      name_(fmt::format("rondo-{}", static_cast<const void*>(this))),
      base_(sqlite3_vfs_find(checked_files())),
      vfs_(*base_) {
  vfs_.pNext = nullptr;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.szOsFile = static_cast<int>(sizeof(File)) + base_->szOsFile;
  vfs_.xOpen = open;
  sqlite3_vfs_register(&vfs_, 0);
}

TempFiles::~TempFiles() { sqlite3_vfs_unregister(&vfs_); }

int TempFiles::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto& self = *static_cast<TempFiles*>(vfs->pAppData);
  if (name != nullptr) return self.base_->xOpen(self.base_, name, file, flags, out_flags);
  File& own = Methods::of(file);
  own.head.pMethods = nullptr;
  own.owner = &self;
  own.size = 0;
  const int code = self.base_->xOpen(self.base_, nullptr, own.inner(), flags, out_flags);
  if (code == SQLITE_OK) own.head.pMethods = Methods::table();
  return code;
}

}  // namespace rondo
