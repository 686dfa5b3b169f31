#include "store/checked_files.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>
#include <unordered_set>
#include <utility>

#include "store/log_frames.h"
#include "store/page_checksum.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

using Bytes = std::span<unsigned char>;
using ConstBytes = std::span<const unsigned char>;

constexpr std::size_t kSmallestPage = 512;
constexpr std::size_t kLargestPage = 65536;

sqlite3_vfs* base() { return sqlite3_vfs_find(nullptr); }

/// A database or its write-ahead log; in memory, SQLite's own file follows it.
struct CheckedFile {
  sqlite3_file for_sqlite{};       ///< must be first
  CheckedFile* database{nullptr};  ///< of a log: what it belongs to; nullptr: this is a database
  PageLayout layout;               ///< of a database: as its first page was last read or written
  bool making_room = false;        ///< all pages that are being written have room for a checksum
  int tolerant = 0;
  std::uint32_t damaged = 0;  ///< the last page that did not fit
  // A log: the header of a frame, not written before its page is known.
  std::array<unsigned char, log::kFrameHeader> held{};
  sqlite3_int64 held_at = -1;
};

constexpr std::size_t kOwnSize = (sizeof(CheckedFile) + 15) / 16 * 16;

CheckedFile& own(sqlite3_file* file) { return *reinterpret_cast<CheckedFile*>(file); }
sqlite3_file* original(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + kOwnSize);
}
sqlite3_file* original(CheckedFile& file) { return original(&file.for_sqlite); }

int raw_read(CheckedFile& file, Bytes into, std::int64_t offset) {
  sqlite3_file* of = original(file);
  return of->pMethods->xRead(of, into.data(), static_cast<int>(into.size()), offset);
}
int raw_write(CheckedFile& file, ConstBytes bytes, std::int64_t offset) {
  sqlite3_file* of = original(file);
  return of->pMethods->xWrite(of, bytes.data(), static_cast<int>(bytes.size()), offset);
}

PageLayout layout_on_disk(CheckedFile& database) {
  std::array<unsigned char, kFileHeader> header{};
  return raw_read(database, header, 0) == SQLITE_OK ? page_layout(header) : PageLayout{};
}

bool is_page(int amount, std::int64_t offset) {
  const auto size = static_cast<std::size_t>(amount);
  return size >= kSmallestPage && size <= kLargestPage && (size & (size - 1)) == 0 && offset % amount == 0;
}

// ---- reading ----

int read_page(CheckedFile& file, Bytes page, std::int64_t offset) {
  const auto number = static_cast<std::uint32_t>(offset / static_cast<std::int64_t>(page.size())) + 1;
  const auto due = [&] {
    return (file.layout.trailers || file.layout.expected) && (number == 1 || file.layout.size == page.size());
  };
  if (!due() || page_intact(page, number)) return SQLITE_OK;
  if (number != 1) {
    // Perhaps another program has replaced the file by one of an earlier version.
    file.layout = layout_on_disk(file);
    if (!due()) return SQLITE_OK;
  }
  if (const int code = raw_read(file, page, offset); code != SQLITE_OK) return code;
  if (page_intact(page, number)) return SQLITE_OK;
  file.damaged = number;
  return file.tolerant > 0 ? SQLITE_OK : SQLITE_IOERR_DATA;
}

/// Every connection reads the first page of its state first, from the file or the log.
void look_at_header(CheckedFile& database, ConstBytes bytes) {
  if (bytes.size() >= kFileHeader) database.layout = page_layout(bytes);
}

int flush_held(CheckedFile& file) {
  if (file.held_at < 0) return SQLITE_OK;
  const std::int64_t at = std::exchange(file.held_at, -1);
  return raw_write(file, file.held, at);
}

int on_read(sqlite3_file* opaque, void* buffer, int amount, sqlite3_int64 offset) {
  CheckedFile& file = own(opaque);
  const Bytes bytes(static_cast<unsigned char*>(buffer), static_cast<std::size_t>(amount));
  if (const int code = flush_held(file); code != SQLITE_OK) return code;
  if (const int code = raw_read(file, bytes, offset); code != SQLITE_OK) return code;
  if (file.database != nullptr) {
    const PageLayout seen = is_page(amount, 0) ? page_layout(bytes) : PageLayout{};
    if (seen.size != 0) file.database->layout = seen;
    return SQLITE_OK;
  }
  if (offset == 0) look_at_header(file, bytes);
  return is_page(amount, offset) ? read_page(file, bytes, offset) : SQLITE_OK;
}

// ---- writing ----

bool stamps(const CheckedFile& database, std::size_t size) {
  return (database.layout.trailers || database.making_room) && database.layout.size == size;
}

int write_database(CheckedFile& file, ConstBytes bytes, std::int64_t offset) {
  if (offset == 0) look_at_header(file, bytes);
  if (!is_page(static_cast<int>(bytes.size()), offset) || !stamps(file, bytes.size())) {
    return raw_write(file, bytes, offset);
  }
  unsigned char copy[kLargestPage];  // NOLINT(cppcoreguidelines-pro-type-member-init): filled next
  const Bytes page(copy, bytes.size());
  std::copy(bytes.begin(), bytes.end(), page.begin());
  stamp_page(page, static_cast<std::uint32_t>(offset / static_cast<std::int64_t>(page.size())) + 1);
  return raw_write(file, page, offset);
}

/// A frame's page gets its checksum, and therefore the frame another one than SQLite computed. SQLite itself reads the
/// checksums of frames only from the log, and so does this, so that they continue one another.
int write_frame(CheckedFile& file, ConstBytes bytes, std::int64_t offset) {
  CheckedFile& database = *file.database;
  const std::int64_t frame_at = offset - static_cast<std::int64_t>(log::kFrameHeader);
  const auto frame_size = static_cast<std::int64_t>(log::kFrameHeader + bytes.size());
  unsigned char copy[log::kFrameHeader + kLargestPage];  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const Bytes header(copy, log::kFrameHeader);
  const Bytes page(copy + log::kFrameHeader, bytes.size());
  const bool whole = file.held_at == frame_at;
  if (whole) {
    std::copy(file.held.begin(), file.held.end(), header.begin());
    file.held_at = -1;
  } else {
    // The page of a frame that the same transaction has written: SQLite will sign it again.
    if (const int code = flush_held(file); code != SQLITE_OK) return code;
    if (const int code = raw_read(file, header, frame_at); code != SQLITE_OK) return code;
  }
  const std::uint32_t number = log::number_at(header, 0);
  std::copy(bytes.begin(), bytes.end(), page.begin());
  if (number == 1) look_at_header(database, page);
  if (stamps(database, page.size())) {
    stamp_page(page, number);
    if (whole) {
      std::array<unsigned char, log::kSum> before{};
      std::array<unsigned char, 4> magic{};
      const bool first = frame_at == static_cast<std::int64_t>(log::kHeader);
      const std::int64_t before_at = first ? static_cast<std::int64_t>(log::kHeaderSumAt)
                                           : frame_at - frame_size + static_cast<std::int64_t>(log::kFrameSumAt);
      int code = raw_read(file, before, before_at);
      if (code == SQLITE_OK) code = raw_read(file, magic, 0);
      if (code != SQLITE_OK) return code;
      log::sign_frame(header, page, before, log::number_at(magic, 0));
    }
  }
  return whole ? raw_write(file, {copy, header.size() + page.size()}, frame_at) : raw_write(file, page, offset);
}

int write_log(CheckedFile& file, ConstBytes bytes, std::int64_t offset) {
  const auto size = static_cast<std::int64_t>(file.database->layout.size);
  const auto amount = static_cast<std::int64_t>(bytes.size());
  const std::int64_t in_frames = offset - static_cast<std::int64_t>(log::kHeader);
  constexpr auto kHead = static_cast<std::int64_t>(log::kFrameHeader);
  if (size != 0 && in_frames >= 0) {
    const std::int64_t place = in_frames % (kHead + size);
    if (place == 0 && amount == kHead) {
      if (const int code = flush_held(file); code != SQLITE_OK) return code;
      std::copy(bytes.begin(), bytes.end(), file.held.begin());
      file.held_at = offset;
      return SQLITE_OK;
    }
    if (place == kHead && amount == size) return write_frame(file, bytes, offset);
  }
  const int code = flush_held(file);
  return code == SQLITE_OK ? raw_write(file, bytes, offset) : code;
}

int on_write(sqlite3_file* opaque, const void* buffer, int amount, sqlite3_int64 offset) {
  CheckedFile& file = own(opaque);
  const ConstBytes bytes(static_cast<const unsigned char*>(buffer), static_cast<std::size_t>(amount));
  return file.database == nullptr ? write_database(file, bytes, offset) : write_log(file, bytes, offset);
}

// ---- what is passed on ----

template <auto Method, typename... Arguments>
int pass_on(sqlite3_file* file, Arguments... arguments) {
  if (const int code = flush_held(own(file)); code != SQLITE_OK) return code;
  return (original(file)->pMethods->*Method)(original(file), arguments...);
}

int on_close(sqlite3_file* file) {
  const int held = flush_held(own(file));
  const int code = original(file)->pMethods->xClose(original(file));
  std::destroy_at(&own(file));
  return held == SQLITE_OK ? code : held;
}
void on_shm_barrier(sqlite3_file* file) { original(file)->pMethods->xShmBarrier(original(file)); }
// A page that is mapped into memory would not be verified.
int on_fetch(sqlite3_file* /*file*/, sqlite3_int64 /*offset*/, int /*amount*/, void** out) {
  *out = nullptr;
  return SQLITE_OK;
}
int on_unfetch(sqlite3_file* /*file*/, sqlite3_int64 /*offset*/, void* /*page*/) { return SQLITE_OK; }

constexpr sqlite3_io_methods methods_of(int version) {
  using M = sqlite3_io_methods;
  M out{};
  out.iVersion = version;
  out.xClose = on_close;
  out.xRead = on_read;
  out.xWrite = on_write;
  out.xTruncate = pass_on<&M::xTruncate, sqlite3_int64>;
  out.xSync = pass_on<&M::xSync, int>;
  out.xFileSize = pass_on<&M::xFileSize, sqlite3_int64*>;
  out.xLock = pass_on<&M::xLock, int>;
  out.xUnlock = pass_on<&M::xUnlock, int>;
  out.xCheckReservedLock = pass_on<&M::xCheckReservedLock, int*>;
  out.xFileControl = pass_on<&M::xFileControl, int, void*>;
  out.xSectorSize = pass_on<&M::xSectorSize>;
  out.xDeviceCharacteristics = pass_on<&M::xDeviceCharacteristics>;
  out.xShmMap = pass_on<&M::xShmMap, int, int, int, void volatile**>;
  out.xShmLock = pass_on<&M::xShmLock, int, int, int>;
  out.xShmBarrier = on_shm_barrier;
  out.xShmUnmap = pass_on<&M::xShmUnmap, int>;
  out.xFetch = on_fetch;
  out.xUnfetch = on_unfetch;
  return out;
}

constexpr sqlite3_io_methods kMethods[] = {methods_of(1), methods_of(2), methods_of(3)};

bool is_own(const sqlite3_file* file) {
  return file != nullptr && std::any_of(std::begin(kMethods), std::end(kMethods),
                                        [&](const auto& methods) { return file->pMethods == &methods; });
}

int on_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* under = base();
  const bool log = (flags & SQLITE_OPEN_WAL) != 0;
  if (!log && (flags & SQLITE_OPEN_MAIN_DB) == 0) return under->xOpen(under, name, file, flags, out_flags);
  auto* self = new (file) CheckedFile();
  if (log) {
    sqlite3_file* database = sqlite3_database_file_object(name);
    if (!is_own(database)) return under->xOpen(under, name, file, flags, out_flags);
    self->database = &own(database);
  }
  sqlite3_file* inner = original(file);
  inner->pMethods = nullptr;
  const int code = under->xOpen(under, name, inner, flags, out_flags);
  if (code != SQLITE_OK) {
    if (inner->pMethods != nullptr) inner->pMethods->xClose(inner);
    file->pMethods = nullptr;
    return code;
  }
  file->pMethods = &kMethods[std::clamp(inner->pMethods->iVersion, 1, 3) - 1];
  return SQLITE_OK;
}

/// nullptr: the database is in memory.
CheckedFile* file_of(sqlite3* database, int which = SQLITE_FCNTL_FILE_POINTER) {
  sqlite3_file* file = nullptr;
  if (database == nullptr || sqlite3_file_control(database, "main", which, static_cast<void*>(&file)) != SQLITE_OK) {
    return nullptr;
  }
  return is_own(file) ? &own(file) : nullptr;
}

/// The pages whose current state is in the log.
std::unordered_set<std::uint32_t> pages_in_log(sqlite3* database, std::uint32_t size) {
  std::unordered_set<std::uint32_t> out;
  CheckedFile* file = file_of(database, SQLITE_FCNTL_JOURNAL_POINTER);
  std::array<unsigned char, log::kHeader> head{};
  if (file == nullptr || file->database == nullptr || raw_read(*file, head, 0) != SQLITE_OK) return out;
  constexpr std::size_t kSaltsAt = 16;  // in the log; in a frame at 8
  for (std::int64_t at = log::kHeader;; at += log::kFrameHeader + size) {
    std::array<unsigned char, log::kFrameHeader> frame{};
    if (raw_read(*file, frame, at) != SQLITE_OK) return out;
    if (!std::equal(frame.begin() + 8, frame.begin() + 16, head.begin() + kSaltsAt)) return out;
    out.insert(log::number_at(frame, 0));
  }
}

/// A transaction keeps others from writing.
Result<void> accept_locked(CheckedFile& file, Database& database, const std::vector<std::uint32_t>& pages) {
  const auto in_log = pages_in_log(database.handle(), file.layout.size);
  std::vector<unsigned char> page(file.layout.size);
  for (const std::uint32_t number : pages) {
    if (in_log.contains(number)) continue;
    const std::int64_t at = std::int64_t{number - 1} * file.layout.size;
    int code = raw_read(file, page, at);
    if (code == SQLITE_OK) {
      stamp_page(page, number);
      code = raw_write(file, page, at);
    }
    if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  }
  return {};
}

}  // namespace

const char* checked_files() {
  constexpr const char* kName = "rondo-checked";
  static const bool registered = [] {
    if (sqlite3_initialize() != SQLITE_OK) return false;
    // All but opening is SQLite's.
    static sqlite3_vfs vfs = *base();
    vfs.pNext = nullptr;
    vfs.zName = kName;
    vfs.szOsFile += static_cast<int>(kOwnSize);
    vfs.xOpen = on_open;
    return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
  }();
  return registered ? kName : nullptr;
}

void reserve_trailers(Database& database) {
  int size = kPageTrailer;
  (void)sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}

std::uint32_t damaged_page(sqlite3* database) {
  const CheckedFile* file = file_of(database);
  return file == nullptr ? 0 : file->damaged;
}

Result<PageScan> scan_pages(Database& database) {
  PageScan out;
  CheckedFile* file = file_of(database.handle());
  if (file == nullptr) return out;
  // A connection that has not read anything does not know the log yet.
  if (auto seen = database.number("PRAGMA schema_version"); !seen) return fail(std::move(seen.error()));
  int frames = 0;
  int copied = 0;
  const int code = sqlite3_wal_checkpoint_v2(database.handle(), "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
  const bool in_file = code == SQLITE_OK && frames == copied;
  const PageLayout layout = layout_on_disk(*file);
  if (layout.size == 0 || !(layout.trailers || layout.expected)) return out;
  out.checked = true;
  sqlite3_int64 bytes = 0;
  if (original(*file)->pMethods->xFileSize(original(*file), &bytes) != SQLITE_OK) {
    return fail(sqlite_error(database.handle(), SQLITE_IOERR));
  }
  std::vector<unsigned char> page(layout.size);
  constexpr std::int64_t kNeverWritten = std::int64_t{1} << 30U;  // SQLite's locks are there
  for (std::int64_t at = 0; at + layout.size <= bytes; at += layout.size) {
    if (at == kNeverWritten) continue;
    const auto number = static_cast<std::uint32_t>(at / layout.size) + 1;
    bool intact = false;
    // Another program may be writing the page at this moment.
    for (int attempt = 0; attempt < 3 && !intact; ++attempt) {
      if (raw_read(*file, page, at) != SQLITE_OK) return fail(sqlite_error(database.handle(), SQLITE_IOERR_READ));
      intact = page_intact(page, number);
    }
    if (!intact) out.damaged.push_back(number);
  }
  if (in_file || out.damaged.empty()) return out;
  const auto newer = pages_in_log(database.handle(), layout.size);
  std::erase_if(out.damaged, [&](std::uint32_t number) { return newer.contains(number); });
  return out;
}

Result<void> accept_pages(Database& database, const std::vector<std::uint32_t>& pages) {
  CheckedFile* file = file_of(database.handle());
  if (file == nullptr || pages.empty()) return {};
  // Nobody else may write these pages meanwhile: nothing is added to the log, and what is in it is left to be copied.
  sqlite3_wal_checkpoint_v2(database.handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (auto done = database.execute("BEGIN IMMEDIATE"); !done) return done;
  auto done = accept_locked(*file, database, pages);
  auto ended = database.execute("COMMIT");
  return done ? ended : done;
}

Result<void> add_trailers(Database& database) {
  CheckedFile* file = file_of(database.handle());
  if (file == nullptr || file->layout.size == 0 || file->layout.trailers) return {};
  auto sound = database.text("PRAGMA integrity_check(1)");
  if (!sound) return fail(std::move(sound.error()));
  if (*sound != "ok") {
    // Rewriting it would hide the damage.
    std::replace(sound->begin(), sound->end(), '\n', ' ');
    return fail("store-corrupt", "the file is damaged: " + *sound, {},
                "restore it from a backup: rondo backup --restore COPY FILE");
  }
  auto size = database.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  auto kept = database.number("PRAGMA temp_store");
  if (!size) return fail(std::move(size.error()));
  if (!kept) return fail(std::move(kept.error()));
  constexpr std::int64_t kMostInMemory = std::int64_t{256} << 20U;
  if (*size > kMostInMemory) {
    if (auto done = database.execute("PRAGMA temp_store = FILE"); !done) return done;
  }
  reserve_trailers(database);
  file->making_room = true;
  auto done = database.execute("VACUUM");
  file->making_room = false;
  if (!done) file->layout = layout_on_disk(*file);
  if (done) done = database.execute("PRAGMA temp_store = " + std::to_string(*kept));
  return done;
}

void share_layout(Database& from, Database& to) {
  const CheckedFile* source = file_of(from.handle());
  CheckedFile* target = file_of(to.handle());
  if (source == nullptr || target == nullptr) return;
  target->layout = source->layout;
}

TolerateDamage::TolerateDamage(Database& database) : database_(database) {
  if (CheckedFile* file = file_of(database_.handle())) ++file->tolerant;
}

TolerateDamage::~TolerateDamage() {
  if (CheckedFile* file = file_of(database_.handle())) --file->tolerant;
  // Damaged pages must not be taken from the cache.
  sqlite3_db_release_memory(database_.handle());
}

}  // namespace rondo
