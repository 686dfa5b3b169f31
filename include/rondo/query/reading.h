#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/line.h"
#include "rondo/melody/piece.h"

namespace rondo {

/// The notations in which a query may be written.
enum class QueryKind : std::uint8_t {
  pae,          ///< Plaine & Easie Code: '4CDEC/CDEC
  note_names,   ///< C4 D4 Eb4 F#4, C D Es Fis, CDEFG, c' d' e'
  solmization,  ///< do re mi, d r m, sa re ga
  degrees,      ///< 1 2 3 #4 5: degrees of the major scale
  intervals,    ///< +2 -1 0 (semitones), P5 -m3
  contour,      ///< *UDDR: up, down, repeated (Parsons)
  key_numbers,  ///< 60 62 64: the keys of MIDI
  abc,          ///< a line of ABC: CDEF|GABc
  kern,         ///< tokens of Humdrum **kern: 4c 8d 8e
  document      ///< a whole file of any format
};
/// "note-names": the word that APIs and tests use.
[[nodiscard]] std::string_view to_string(QueryKind kind);
/// "note names": for people.
[[nodiscard]] std::string_view title_of(QueryKind kind);

/// The interpretation of a query text.
struct QueryReading {
  /// Has at least one voice with at least one note. For a contour the pitches are one example of it; for degrees and
  /// intervals the notes stand for all their transpositions.
  Piece piece;
  std::size_t voice_number = 0;  ///< which voice is the query: of several the melody, see find_melody
  QueryKind kind = QueryKind::pae;
  std::string because;                  ///< ends the sentence "read as note names because ..."
  bool rhythm = true;                   ///< false: no lengths were given; all notes are quarters
  std::size_t unknown_notes = 0;        ///< how many "?"
  std::size_t unknown_stretches = 0;    ///< how many "..." or "*"
  std::vector<UnknownNotes> unknown{};  ///< where they stand among the notes of voice()
  /// About guesses and irregularities. Columns count characters of the whole text, from 1, across lines.
  Diagnostics warnings{};

  [[nodiscard]] const Voice& voice() const { return piece.voices[voice_number]; }
  [[nodiscard]] bool has_wildcards() const { return unknown_notes + unknown_stretches > 0; }
};

/// Recognises the notation of a text and reads it. A prefix selects the notation: "degrees: 1 2 3". Errors:
/// `query-empty`, `query-unread` (no notation fits), `query-path` (it looks like the name of a file), or those of the
/// reader if the notation is certain.
[[nodiscard]] Result<QueryReading> read_query_text(std::string_view text);

/// The first piece with notes of a file, folder or archive; if there are more pieces or voices, a warning says so. A
/// file of no known format is read as a text. Errors: those of opening and of the readers, `query-empty`.
[[nodiscard]] Result<QueryReading> read_query_path(const std::string& path);
/// The same for bytes in memory.
[[nodiscard]] Result<QueryReading> read_query_bytes(std::string_view bytes);

/// Whether a text looks like a file name: it has a known extension, or slashes and letters that are no notes.
[[nodiscard]] bool looks_like_path(std::string_view text);

/// "read as note names because every word is a note with its octave: C4 D4 Eb4"
[[nodiscard]] std::string describe(const QueryReading& reading);

}  // namespace rondo
