#include "formats/open/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <cerrno>
#include <clocale>
#include <cstring>

#include "base/utf8.h"

namespace rondo::open {

struct Archive::State {
  std::unique_ptr<ByteSource> source;
  FileSource* seekable = nullptr;
  Budget* budget = nullptr;
  struct archive* handle = nullptr;
  std::array<char, std::size_t{64} * 1024> buffer{};
  Error failure;  ///< of the source below, while libarchive was reading it
  std::string name;
  std::uint64_t serial = 0;  ///< of the current file; sources of earlier ones are closed
  bool opened = false;
  bool closed = false;
  ArchiveKind kind = ArchiveKind::none;

  ~State() {
    if (handle != nullptr) archive_read_free(handle);
  }

  /// The error of the source below, else that of libarchive.
  [[nodiscard]] Error error() const {
    if (!failure.code.empty()) return failure;
    const char* why = archive_error_string(handle);
    return {"archive-damaged",
            std::string("the archive is damaged or empty: ") + (why != nullptr ? why : "no reason given"),
            {},
            "is the file complete?"};
  }
};

namespace {

constexpr std::uint64_t kFreeBytes = std::uint64_t{16} << 20U;

la_ssize_t read_block(struct archive* handle, void* data, const void** block) {
  auto& state = *static_cast<Archive::State*>(data);
  auto got = state.source->read(state.buffer);
  if (!got) {
    state.failure = std::move(got.error());
    archive_set_error(handle, EIO, "%s", state.failure.message.c_str());
    return -1;
  }
  *block = state.buffer.data();
  return static_cast<la_ssize_t>(*got);
}

la_int64_t seek_block(struct archive* /*handle*/, void* data, la_int64_t offset, int whence) {
  const std::int64_t at = static_cast<Archive::State*>(data)->seekable->seek(offset, whence);
  return at < 0 ? ARCHIVE_FATAL : at;
}

la_int64_t skip_block(struct archive* /*handle*/, void* data, la_int64_t count) {
  auto* seekable = static_cast<Archive::State*>(data)->seekable;
  return seekable != nullptr && seekable->seek(count, SEEK_CUR) >= 0 ? count : 0;
}

/// Sets the locale of this thread to UTF-8 (RAII): libarchive drops names that the locale cannot represent, and the
/// default locale is ASCII.
class Utf8Locale {
 public:
  Utf8Locale() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~Utf8Locale() {
    if (locale_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

/// One file of the archive.
class EntrySource final : public ByteSource {
 public:
  explicit EntrySource(std::shared_ptr<Archive::State> state) : state_(std::move(state)), serial_(state_->serial) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (state_->closed || state_->serial != serial_) {
      return fail("file-closed", "this file of an archive was kept after its turn");
    }
    const la_ssize_t got = archive_read_data(state_->handle, into.data(), into.size());
    if (got < 0) return fail(state_->error());
    const auto count = static_cast<std::size_t>(got);
    if (auto fits = state_->budget->unfold(count); !fits) return fail(std::move(fits.error()));
    return count;
  }

 private:
  std::shared_ptr<Archive::State> state_;
  std::uint64_t serial_;
};

std::string entry_name(struct archive_entry* entry) {
  // The first works if the zip declares its names as UTF-8; the second gives the raw bytes.
  if (const char* name = archive_entry_pathname_utf8(entry)) return clean_path(name);
  if (const char* name = archive_entry_pathname(entry)) return clean_path(name);
  return "unnamed";
}

}  // namespace

Result<void> Budget::unfold(std::size_t bytes) {
  unfolded += bytes;
  if (!exceeded()) return {};
  return fail("archive-too-large",
              "the archive expands to more than " + (unfolded > limits.total_bytes
                                                         ? std::to_string(limits.total_bytes) + " bytes"
                                                         : std::to_string(limits.ratio) + " times its size"),
              {}, "unpack it yourself if you trust it");
}

bool Budget::exceeded() const {
  return unfolded > limits.total_bytes || (unfolded > kFreeBytes && unfolded / limits.ratio > read);
}

ArchiveKind archive_kind(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\x1F\x8B"sv)) return ArchiveKind::gzip;
  if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) return ArchiveKind::zip;
  return ArchiveKind::none;
}

Archive::Archive(std::unique_ptr<ByteSource> source, FileSource* seekable, ArchiveKind kind, Budget& budget)
    : state_(std::make_shared<State>()) {
  state_->source = std::move(source);
  state_->seekable = seekable;
  state_->budget = &budget;
  state_->kind = kind;
  state_->handle = archive_read_new();
  if (kind == ArchiveKind::gzip) {
    // Appended, not "supported": else nested gzips would be expanded to any depth.
    archive_read_append_filter(state_->handle, ARCHIVE_FILTER_GZIP);
    archive_read_support_format_raw(state_->handle);
  } else {
    archive_read_support_format_zip(state_->handle);
  }
  archive_read_set_callback_data(state_->handle, state_.get());
  archive_read_set_read_callback(state_->handle, read_block);
  archive_read_set_skip_callback(state_->handle, skip_block);
  if (seekable != nullptr) archive_read_set_seek_callback(state_->handle, seek_block);
}

Archive::~Archive() { state_->closed = true; }

Result<bool> Archive::next() {
  ++state_->serial;
  const Utf8Locale utf8;
  if (!state_->opened) {
    state_->opened = true;
    if (archive_read_open1(state_->handle) != ARCHIVE_OK) return fail(state_->error());
  }
  for (int failures = 0;;) {
    struct archive_entry* entry = nullptr;
    const int status = archive_read_next_header(state_->handle, &entry);
    if (status == ARCHIVE_EOF) return false;
    if (status == ARCHIVE_RETRY || status == ARCHIVE_FAILED) {
      constexpr int kPatience = 100;  // limit of retries after recoverable errors of a broken archive
      if (++failures < kPatience) continue;
    }
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return fail(state_->error());
    const auto type = archive_entry_filetype(entry);
    if (type == AE_IFDIR || type == AE_IFLNK) continue;
    state_->name = entry_name(entry);
    return true;
  }
}

const std::string& Archive::name() const { return state_->name; }

std::unique_ptr<ByteSource> Archive::source() { return std::make_unique<EntrySource>(state_); }

std::string printable_name(std::string_view name) {
  if (is_utf8(name)) return std::string(name);
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
    }
  }
  return out;
}

std::string clean_path(std::string_view path) {
  std::string out = printable_name(path);
  for (char& c : out) {
    if (c == '\\') c = '/';
  }
  std::string_view rest = out;
  while (rest.starts_with('/') || rest.starts_with("./")) rest.remove_prefix(rest.front() == '/' ? 1 : 2);
  return std::string(rest);
}

}  // namespace rondo::open
