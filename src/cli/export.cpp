#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/csv.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "formats/pae.h"
#include "rondo/formats/format.h"
#include "rondo/store/collection.h"
#include "search/select.h"

namespace rondo::cli {
namespace {

struct ExportArguments {
  std::string db;
  std::string format = "jsonl";
  std::vector<std::string> ids;
  std::string match;
  std::string where;
  std::size_t limit = 0;
};

/// Writes pieces one after the other; counts those that the format cannot hold.
class Writer {
 public:
  explicit Writer(std::string format) : format_(std::move(format)) {
    if (format_ == "csv") {
      print(csv_line({"id", "title", "composer", "year", "source", "library", "shelfmark", "uri", "format", "voices",
                      "notes", "clef", "key", "signature", "time", "pae"}));
    }
  }

  void piece(const Piece& piece) {
    if (format_ == "csv") {
      print(row(piece));
      ++written_;
      return;
    }
    auto text = find_format(format_)->write(piece);
    if (!text) {
      ++refused_;
      print_to(stderr, "rondo: {}: {}\n", piece.id, text.error().message);
      return;
    }
    print(*text);
    if (!text->ends_with('\n')) print("\n");
    if (format_ != "jsonl") print("\n");  // a blank line ends a record
    ++written_;
  }

  [[nodiscard]] std::size_t written() const { return written_; }
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  static void print(std::string_view text) { write_to(stdout, text); }

  static std::string row(const Piece& piece) {
    const Metadata& m = piece.metadata;
    std::size_t notes = 0;
    for (const Voice& voice : piece.voices) notes += voice.notes.size();
    std::string clef, key, signature, time, pae;
    if (!piece.voices.empty()) {
      const Voice& first = piece.voices.front();
      if (!first.clefs.empty()) clef = first.clefs.front().value.to_string();
      if (!first.keys.empty()) key = first.keys.front().value.to_string();
      if (!first.key_signatures.empty()) signature = first.key_signatures.front().value.to_string();
      if (!first.times.empty()) time = first.times.front().value.to_string();
      if (const auto text = to_pae(first)) pae = text->data;
    }
    return csv_line({piece.id, m.title, m.composer, m.year, m.source, m.library, m.shelfmark, m.uri, piece.format,
                     std::to_string(piece.voices.size()), std::to_string(notes), clef, key, signature, time, pae});
  }

  std::string format_;
  std::size_t written_ = 0;
  std::size_t refused_ = 0;
};

Result<void> write_selected(Collection& collection, const ExportArguments& options, Writer& writer) {
  const auto full = [&] { return options.limit != 0 && writer.written() >= options.limit; };
  std::vector<std::string> ids = options.ids;
  if (!options.match.empty()) {
    auto hits =
        collection.find(options.match, options.limit == 0 || !options.where.empty() ? 1'000'000 : options.limit);
    if (!hits) return fail(hits.error());
    for (TextHit& hit : *hits) ids.push_back(std::move(hit.id));
  }
  if (!options.where.empty()) {
    auto selected = ids_where(collection, options.where, SqlLimits::owner());
    if (!selected) return fail(selected.error());
    if (options.match.empty() && ids.empty()) {
      ids = std::move(*selected);
    } else {
      std::erase_if(ids,
                    [&](const std::string& id) { return !std::binary_search(selected->begin(), selected->end(), id); });
    }
  } else if (options.match.empty() && ids.empty()) {
    return collection.each_piece([&](const StoredPiece& stored) {
      writer.piece(stored.piece);
      return !full();
    });
  }
  for (const std::string& id : ids) {
    if (full()) break;
    auto piece = collection.get(id);
    if (!piece) return fail(piece.error());
    writer.piece(*piece);
  }
  return {};
}

int run(const ExportArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  Writer writer(options.format);
  if (auto done = write_selected(*collection, options, writer); !done) return report(done.error());
  print_to(stderr, "{} written{}\n", writer.written(),
           writer.refused() == 0 ? "" : fmt::format(", {} cannot be written as {}", writer.refused(), options.format));
  return writer.refused() == 0 ? kSuccess : kFailed;
}

}  // namespace

Action define_export(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  add_db(app, options->db);
  app.add_option("--format", options->format, "jsonl, csv, pae, abc or kern")
      ->check(CLI::IsMember({"jsonl", "json", "csv", "pae", "abc", "kern"}))
      ->capture_default_str();
  app.add_option("ids", options->ids, "only these melodies");
  app.add_option("--match", options->match, "only melodies whose title, composer or other text has these words");
  add_where(app, options->where);
  app.add_option("--limit", options->limit, "at most this many")->check(whole(0, kMostPieces));
  return [options] {
    if (options->format == "json") options->format = "jsonl";
    return run(*options);
  };
}

}  // namespace rondo::cli
