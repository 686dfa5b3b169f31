#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "rondo/formats/open.h"
#include "rondo/formats/pae.h"

namespace rondo::cli {
namespace {

/// Keeps the first piece that has notes, and ends the walk and the reading then.
class FirstMelody final : public PieceSink, public FileVisitor {
 public:
  bool piece(Piece&& piece) override {
    if (piece.voices.empty()) return true;
    found = std::move(piece);
    return false;
  }
  void warn(Diagnostic warning) override { remarks.push_back(std::move(warning)); }
  bool skip(Diagnostic why) override {
    failure = std::move(why);
    return true;
  }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions read;
    read.file = name;
    if (auto done = read_any(std::move(source), read, *this); !done) failure = std::move(done.error());
    return !found.has_value();
  }
  bool problem(Diagnostic why) override {
    failure = std::move(why);
    return true;
  }

  std::optional<Piece> found;
  Diagnostics remarks;
  std::optional<Error> failure;
};

Result<Piece> first_melody(const std::string& path) {
  FirstMelody first;
  if (auto done = open_path(path, first); !done) return fail(done.error());
  print_remarks(first.remarks);
  if (first.found) return std::move(*first.found);
  if (first.failure) return fail(std::move(*first.failure));
  return fail("query-empty", "there is no melody in it", Place{path, {}, {}, 0, 0});
}

Result<Piece> typed_melody(const std::string& text) {
  Diagnostics warnings;
  auto voice = parse_pae_query(text, warnings);
  if (!voice) {
    Error error = std::move(voice.error());
    if (error.hint.empty())
      error.hint = "a query is a file, '-', or notes in Plaine & Easie Code such as \"'4CDEC/CDEC\"";
    return fail(std::move(error));
  }
  for (const Diagnostic& remark : warnings) fmt::print(stderr, "rondo: query: {}\n", remark.to_string());
  Piece piece;
  piece.id = "query";
  piece.format = "pae";
  piece.source_text = text;
  piece.voices.push_back(std::move(*voice));
  return piece;
}

}  // namespace

void add_db(CLI::App& app, std::string& db) { app.add_option("--db", db, "the collection")->required(); }

void add_where(CLI::App& app, std::string& where) {
  app.add_option("--where", where, "only melodies for which this holds: SQL over the view 'melodies', docs/filter.md");
}

CLI::Validator within(double low, double high) {
  CLI::Validator range = CLI::Range(low, high);
  range.operation([low, high](std::string& text) {
    double value = 0;
    const bool fine = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return fine ? std::string() : fmt::format("'{}' is no number from {} to {}", text, low, high);
  });
  return range;
}

CLI::Validator whole(std::uint64_t low, std::uint64_t high) {
  CLI::Validator range = CLI::Range(static_cast<double>(low), static_cast<double>(high));
  range.description(fmt::format("whole number from {} to {}", low, high));
  range.operation([low, high](std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    const bool fine = problem == std::errc{} && stop == end && value >= low && value <= high;
    return fine ? std::string() : fmt::format("'{}' is no whole number from {} to {}", text, low, high);
  });
  return range;
}

Result<Piece> read_query(const std::string& text) {
  std::error_code ignored;
  if (text == "-" || std::filesystem::exists(text, ignored)) return first_melody(text);
  return typed_melody(text);
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const Place place{path, {}, {}, 0, 0};
  if (!in) return fail("file-unreadable", std::string("cannot be read: ") + std::strerror(errno), place);
  // By read(), which never throws; the iterators of the buffer do, for a folder say.
  std::string text;
  char piece[1U << 16U];
  while (in.read(piece, sizeof piece) || in.gcount() > 0) text.append(piece, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return fail("file-unreadable", "cannot be read to its end", place);
  return text;
}

namespace {

/// Takes the text of the one file in a gzip.
class TextOfFile final : public FileVisitor {
 public:
  bool file(const std::string& /*name*/, std::unique_ptr<ByteSource> source) override {
    std::string piece(std::size_t{1} << 16U, '\0');
    std::string text;
    for (;;) {
      auto count = source->read(std::span<char>(piece));
      if (!count) {
        outcome = fail(std::move(count.error()));
        return false;
      }
      if (*count == 0) break;
      text.append(piece, 0, *count);
    }
    outcome = std::move(text);
    return false;
  }
  bool problem(Diagnostic why) override {
    outcome = fail(std::move(why));
    return false;
  }
  Result<std::string> outcome;
};

}  // namespace

Result<std::string> read_unpacked(const std::string& path) {
  auto text = read_file(path);
  if (!text || !text->starts_with("\x1F\x8B")) return text;
  TextOfFile visitor;
  open_bytes(path, std::make_unique<MemorySource>(*text), visitor);
  return std::move(visitor.outcome);
}

Result<evaluation::Truth> load_truth(const std::string& path, bool qrels, Diagnostics* remarks) {
  auto text = read_unpacked(path);
  if (!text) return fail(text.error());
  MemorySource source(*text);
  Diagnostics warnings;
  evaluation::TruthOptions options;
  options.file = path;
  options.lines = qrels ? evaluation::TruthForm::kQrels : evaluation::TruthForm::kGroups;
  auto truth = evaluation::read_truth(source, options, warnings);
  print_remarks(warnings);
  if (remarks != nullptr) remarks->insert(remarks->end(), warnings.begin(), warnings.end());
  return truth;
}

void print_remarks(const Diagnostics& remarks) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(kMost, remarks.size()); ++i)
    fmt::print(stderr, "rondo: {}\n", remarks[i].to_string());
  if (remarks.size() > kMost) fmt::print(stderr, "rondo: and {} more remarks like these\n", remarks.size() - kMost);
}

}  // namespace rondo::cli
