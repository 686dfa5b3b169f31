#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/evaluation/truth.h"
#include "rondo/query/reading.h"
#include "rondo/store/collection.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

/// Options that several commands have, worded alike.
namespace rondo::cli {

/// --db, a file or the address of a server; required.
void add_db(CLI::App& app, std::string& db);

/// --where SQL.
void add_where(CLI::App& app, std::string& where);

/// --device cpu, cuda or auto; standard: what `device` is.
void add_device(CLI::App& app, std::string& device);

/// Checks for a number from `low` to `high`; CLI11's own range lets "nan" through.
[[nodiscard]] CLI::Validator within(double low, double high);

/// Checks for a whole number from `low` to `high`: CLI11 itself takes "-1" for a number without a sign and makes a
/// huge one of it.
[[nodiscard]] CLI::Validator whole(std::uint64_t low, std::uint64_t high);
inline constexpr const char* kExpandHelp =
    "re-rank the first hundred hits by how they resemble each other; for the system rondo";
inline constexpr std::uint64_t kMostThreads = 1024;
inline constexpr std::uint64_t kMostHits = 10'000'000;
inline constexpr std::uint64_t kMostPieces = 1'000'000'000;

/// A query as people give one: a file (any format; the first piece of it), `-` for standard input, or notes. What was
/// read, why, and the warnings are printed to standard error.
[[nodiscard]] Result<QueryReading> read_query(const std::string& text);

/// A whole file as text.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// The same, unpacked if it is a gzip.
[[nodiscard]] Result<std::string> read_unpacked(const std::string& path);

/// A ground truth; warnings are printed, and added to `remarks` if that is given.
[[nodiscard]] Result<evaluation::Truth> load_truth(const std::string& path, bool qrels, Diagnostics* remarks = nullptr);

/// To standard error, one line each; of many, the first twenty.
void print_remarks(const Diagnostics& remarks);

}  // namespace rondo::cli
