#pragma once

#include <set>
#include <string>
#include <string_view>

#include "formats/jsonl/values.h"
#include "formats/pae.h"
#include "rondo/formats/format.h"

namespace rondo::jsonl {

/// Reads pieces from JSON objects, one per line. docs/formats/jsonl.md describes the format.
class PieceReader {
 public:
  explicit PieceReader(const ReadOptions& options) : options_(options) {}

  /// The place of an error is within the object; the caller adds file, record and line to it and to the warnings, and
  /// sets the id of the piece.
  [[nodiscard]] Result<Piece> read(const Json& object, Diagnostics& warnings);

 private:
  [[nodiscard]] Result<void> read_voices(const Json& object, Piece& piece);
  [[nodiscard]] Result<void> read_pae(const Json& object, Piece& piece);
  void read_metadata(const Json& object, Piece& piece);
  void read_free_fields(const Json& fields, Metadata& metadata);
  void warn(std::string code, std::string message, std::string field = {}, std::string hint = {});

  const ReadOptions& options_;
  Diagnostics* warnings_ = nullptr;
  PaeParser parser_;
  std::set<std::string, std::less<>> ignored_;  ///< keys with a warning already
};

/// Notes, signatures and bars of one voice. Counts rounded times in `rounded`; a signature that cannot be read is
/// left out with a warning. `path` ("voices[2].") begins the place of an error.
[[nodiscard]] Result<Voice> read_voice(const Json& object, const std::string& path, std::size_t& rounded,
                                       Diagnostics& warnings);

/// A melody in the layout of the MTC features: parallel arrays midipitch, onset_tick, duration_quarters.
[[nodiscard]] Result<Voice> read_feature_voice(const Json& object, std::size_t& rounded, Diagnostics& warnings);

}  // namespace rondo::jsonl
