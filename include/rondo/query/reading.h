#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/line.h"
#include "rondo/melody/piece.h"

namespace rondo {

/// The ways in which people write a melody that they look for.
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

/// What a text was understood to mean.
struct QueryReading {
  /// Has at least one voice, and that at least one note. Of a contour the pitches are an example that has it; of
  /// degrees and intervals the notes stand for all their transpositions.
  Piece piece;
  std::size_t voice_number = 0;  ///< which voice is looked for: of several the melody, see find_melody
  QueryKind kind = QueryKind::pae;
  std::string because;                  ///< ends the sentence "read as note names because ..."
  bool rhythm = true;                   ///< false: no lengths were given; all notes are quarters
  std::size_t unknown_notes = 0;        ///< how many "?"
  std::size_t unknown_stretches = 0;    ///< how many "..." or "*"
  std::vector<UnknownNotes> unknown{};  ///< where they stand among the notes of voice()
  /// Where something was guessed or odd. Columns count characters of the whole text, from 1, whatever the lines.
  Diagnostics warnings{};

  [[nodiscard]] const Voice& voice() const { return piece.voices[voice_number]; }
  [[nodiscard]] bool has_wildcards() const { return unknown_notes + unknown_stretches > 0; }
};

/// Tells from a text what melody was meant. A text may say itself what it is: "degrees: 1 2 3". Errors: `query-empty`,
/// `query-unread` (no way to read it), `query-path` (it looks like the name of a file), or those of the reader of the
/// notation that it clearly is.
[[nodiscard]] Result<QueryReading> read_query_text(std::string_view text);

/// The first piece with notes of a file, folder or archive; where there are more pieces or voices a warning says so.
/// A file that is no format is read as a text. Errors: those of opening and of the readers, `query-empty`.
[[nodiscard]] Result<QueryReading> read_query_path(const std::string& path);
/// The same for bytes that came from elsewhere.
[[nodiscard]] Result<QueryReading> read_query_bytes(std::string_view bytes);

/// Whether a text is meant as the name of a file: it has a known ending, or slashes and letters that are no notes.
[[nodiscard]] bool looks_like_path(std::string_view text);

/// "read as note names because every word is a note with its octave: C4 D4 Eb4"
[[nodiscard]] std::string describe(const QueryReading& reading);

}  // namespace rondo
