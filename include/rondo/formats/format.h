#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"
#include "rondo/melody/piece.h"

namespace rondo {

/// Receives the records of a reader, one after the other, in the order of the file.
class PieceSink {
 public:
  virtual ~PieceSink() = default;
  PieceSink() = default;
  PieceSink(const PieceSink&) = delete;
  PieceSink& operator=(const PieceSink&) = delete;

  /// A record. false asks the reader to stop; it then returns at once, without an error.
  virtual bool piece(Piece&& piece) = 0;
  /// A warning about a record that is kept. Called before the record's `piece`.
  virtual void warn(Diagnostic warning) = 0;
  /// A record that could not be read. false asks the reader to stop.
  virtual bool skip(Diagnostic why) = 0;
};

/// Which voices of a piece are kept.
enum class VoiceSelection : std::uint8_t { all, melody };

struct ReadOptions {
  /// Name for messages and, with a number, for the ids of records that have none: "songs/erk5.abc".
  std::string file;
  /// Write repeats out in playing order. Off only for comparisons with programs that do not.
  bool expand_repeats = true;
  /// Keep each record's text in Piece::source_text.
  bool keep_source = true;
  /// MIDI: keep the ticks instead of quantizing notes to the grid of the beat.
  bool as_played = false;
  /// `read_any` only: with `melody`, pieces have only their melody (melody/find_melody.h), and the warning
  /// `melody-chosen` says which voice it is.
  VoiceSelection voices = VoiceSelection::all;
};

/// One row of the table of formats. To add a format: one file with a reader (and a writer), one row in formats.cpp.
///
/// A reader never prints, never throws for bad input, uses memory bounded by limits.h, and reports through the sink: a
/// problem of one record skips only that record. The Result is an error only when the input as a whole is not this
/// format or cannot be read; what came before it has been delivered.
struct Format {
  std::string_view name;       ///< "abc": the word of --format and --as
  std::string_view title;      ///< "ABC 2.1"
  std::string_view extension;  ///< ".abc", of files that we write
  std::string_view mime;
  /// Confidence that the first 64 kB are this format: 0 no, 100 certain. File names are never used.
  int (*recognise)(std::string_view head) = nullptr;
  Result<void> (*read)(ByteSource& in, const ReadOptions& options, PieceSink& sink) = nullptr;
  /// nullptr: this format is only read. Fails with `cannot-write` if the format cannot represent the piece.
  Result<std::string> (*write)(const Piece& piece) = nullptr;
};

[[nodiscard]] std::span<const Format> formats();
[[nodiscard]] const Format* find_format(std::string_view name);
/// The most likely format of this beginning, or nullptr when none is likely.
[[nodiscard]] const Format* recognise(std::string_view head);

/// The id of record `number` (from 1) of a file whose records have none; `only`: the file holds a single record.
[[nodiscard]] std::string record_id(const ReadOptions& options, std::size_t number, bool only = false);

/// A sink that keeps everything: for tests, queries and single files.
class CollectingSink final : public PieceSink {
 public:
  bool piece(Piece&& piece) override {
    pieces.push_back(std::move(piece));
    return true;
  }
  void warn(Diagnostic warning) override { warnings.push_back(std::move(warning)); }
  bool skip(Diagnostic why) override {
    skipped.push_back(std::move(why));
    return true;
  }

  std::vector<Piece> pieces;
  Diagnostics warnings;
  Diagnostics skipped;
};

}  // namespace rondo
