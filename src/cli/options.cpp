#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

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
  for (const Diagnostic& remark : first.remarks) fmt::print(stderr, "rondo: {}\n", remark.to_string());
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

Result<Piece> read_query(const std::string& text) {
  std::error_code ignored;
  if (text == "-" || std::filesystem::exists(text, ignored)) return first_melody(text);
  return typed_melody(text);
}

}  // namespace rondo::cli
