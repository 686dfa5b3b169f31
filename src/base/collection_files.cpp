#include "base/collection_files.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>

namespace rondo {
namespace {

namespace fs = std::filesystem;
using std::string_view_literals::operator""sv;

struct CompanionName {
  Companion companion;
  std::string_view suffix;
};
constexpr CompanionName kCompanions[] = {
    {Companion::index, ".index"},
    {Companion::studies, ".studies"},
    {Companion::links, ".links"},
    {Companion::concordances, ".concordances"},
    {Companion::concordances_journal, ".concordances.journal"},
    {Companion::decisions, ".decisions"},
};

struct Beginning {
  std::size_t at;
  std::string_view bytes;
  std::string_view kind;
};
constexpr std::string_view kIndexKind = "the index of a collection";
constexpr std::string_view kLogKind = "the log of an SQLite database";
constexpr Beginning kBeginnings[] = {
    {0, "SQLite format 3\0"sv, "a collection or another SQLite database"},
    {0, "\x37\x7F\x06\x82", kLogKind},
    {0, "\x37\x7F\x06\x83", kLogKind},
    {0, "\xD9\xD5\x05\xF9\x20\xA1\x63\xD7", kLogKind},
    {0, kIndexMagic, kIndexKind},
    {kIndexSlot, kIndexMagic, kIndexKind},
    {0, kConcordancesMagic, kConcordancesJournalKind},
};

/// A line of decisions is a checksum and a JSON object.
bool looks_like_decisions(std::string_view head) {
  constexpr std::size_t kSum = 16;
  constexpr std::string_view kObject = R"( {"a":[)";
  return head.size() > kSum && head.substr(kSum).starts_with(kObject) &&
         head.find_first_not_of("0123456789abcdef") == kSum;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool ends_with(std::string_view name, std::string_view suffix) {
  return name.size() > suffix.size() && std::equal(suffix.begin(), suffix.end(), name.end() - std::ssize(suffix),
                                                   [](char a, char b) { return a == lower(b); });
}

bool cut(std::string& name, std::string_view suffix) {
  if (!ends_with(name, suffix)) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

/// The first bytes of a file, none of what is no file. They are read through SQLite, which knows the databases that
/// this process has open: to open and close such a file in another way would give up the locks that SQLite holds on it
/// (POSIX locks belong to the process, not to the descriptor).
std::string head_of(const fs::path& file) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem)) return {};
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(fs::absolute(file, problem).c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> closing(opened, &sqlite3_close);
  sqlite3_file* bytes = nullptr;
  if (code != SQLITE_OK || sqlite3_file_control(opened, "main", SQLITE_FCNTL_FILE_POINTER, &bytes) != SQLITE_OK ||
      bytes == nullptr || bytes->pMethods == nullptr) {
    return {};
  }
  sqlite3_int64 size = 0;
  if (bytes->pMethods->xFileSize(bytes, &size) != SQLITE_OK) return {};
  std::string head(static_cast<std::size_t>(std::min<sqlite3_int64>(size, kIndexSlot + kIndexMagic.size())), '\0');
  const bool read = bytes->pMethods->xRead(bytes, head.data(), static_cast<int>(head.size()), 0) == SQLITE_OK;
  return read ? head : std::string();
}

bool is_database(const fs::path& file) { return head_of(file).starts_with(kBeginnings[0].bytes); }

}  // namespace

fs::path companion_of(const fs::path& collection, Companion companion) {
  fs::path out = collection;
  for (const CompanionName& one : kCompanions) {
    if (one.companion == companion) out += one.suffix;
  }
  return out;
}

fs::path database_of_companion(const fs::path& file) {
  const fs::path folder = file.parent_path();
  std::string name = file.filename().string();
  bool known = false;
  for (const std::string_view suffix :
       {kDatabaseLogs[0], kDatabaseLogs[1], kDatabaseLogs[2], kFreshFile, kLockFile, kPartFile}) {
    known = known || cut(name, suffix);
  }
  if (known && is_database(folder / name)) return folder / name;
  for (auto variant = std::rbegin(kIndexVariants); variant != std::rend(kIndexVariants); ++variant) cut(name, *variant);
  for (const CompanionName& one : kCompanions) {
    std::string stem = name;
    if (cut(stem, one.suffix) && is_database(folder / stem)) return folder / stem;
  }
  return {};
}

std::string_view kind_of_content(const fs::path& file) {
  const std::string head = head_of(file);
  for (const Beginning& one : kBeginnings) {
    if (head.size() > one.at && std::string_view(head).substr(one.at).starts_with(one.bytes)) return one.kind;
  }
  return looks_like_decisions(head) ? "a file of decisions about concordances" : "";
}

}  // namespace rondo
