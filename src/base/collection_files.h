#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// The files of Rondo: what lies beside a collection, and how each kind begins. Stated here and nowhere else.
namespace rondo {

/// What lies beside a collection, under its name with a suffix.
enum class Companion : std::uint8_t { index, studies, links, concordances, concordances_journal, decisions };

/// "music.db.studies" of "music.db".
[[nodiscard]] std::filesystem::path companion_of(const std::filesystem::path& collection, Companion companion);

/// The index of lines that are heard in another way than usual has a further suffix for each way, in this order.
inline constexpr std::string_view kIndexVariants[] = {"-graces", "-unrepeated", "-folded"};

/// What a process adds to the name of a file while it changes it; and the files that SQLite keeps beside its own.
inline constexpr std::string_view kFreshFile = ".new";
inline constexpr std::string_view kLockFile = ".lock";
inline constexpr std::string_view kPartFile = ".part";
inline constexpr std::string_view kDatabaseLogs[] = {"-wal", "-shm", "-journal"};

/// The database (a collection, or its studies) that a file belongs to by its name: "music.db" for
/// "music.db.index.lock". Empty if there is no such database. The file itself need not exist; case does not matter.
[[nodiscard]] std::filesystem::path database_of_companion(const std::filesystem::path& file);

/// How files begin. An index has two beginnings, of which either may be empty.
inline constexpr std::string_view kIndexMagic = "RONDOIDX";
inline constexpr std::size_t kIndexSlot = 4096;
inline constexpr std::string_view kConcordancesMagic = "rondo-concordances ";

/// What a file is by its content: one of the kinds below, or another text such as "a collection or another SQLite
/// database"; empty if it is neither of SQLite nor of Rondo, or cannot be read.
inline constexpr std::string_view kConcordancesJournalKind = "the journal of a search for concordances";
[[nodiscard]] std::string_view kind_of_content(const std::filesystem::path& file);

}  // namespace rondo
