#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "rondo/formats/format.h"
#include "rondo/melody/builder.h"
#include "rondo/store/collection.h"
#include "store/checked_files.h"
#include "support/scratch.h"

namespace rondo::test {

/// A small melody that differs for each number.
inline Voice melody(int number) {
  VoiceBuilder builder;
  builder.clef(0, Clef{'G', 2, Clef::Kind::modern});
  builder.key_signature(0, KeySignature::from_fifths(number % 5 - 2));
  builder.time(0, TimeSignature{3, 4, ""});
  Fraction at;
  for (int i = 0; i < 8; ++i) {
    const Fraction duration(1, (number >> i & 1) != 0 ? 8 : 4);
    builder.note(at, duration, Pitch::from_midi(60 + (number * 7 + i * i) % 12));
    at += duration;
  }
  builder.bar(0);
  builder.bar({3, 4});
  return *builder.finish();
}

/// A piece with everything a piece can have, different for each number.
inline Piece sample(int number) {
  const std::string n = std::to_string(number);
  Piece piece;
  piece.id = "id" + n;
  piece.format = "jsonl";
  piece.metadata = {.title = "Menuet " + n,
                    .composer = number % 2 == 0 ? "Telemann" : "Händel",
                    .source = "Sammlung " + n,
                    .library = "D-Dl",
                    .shelfmark = "Mus. " + n,
                    .catalogue = {"TWV " + n, "RISM " + n},
                    .uri = "urn:x:" + n,
                    .year = "ca. 17" + n,
                    .fields = {{"text", "Ave Maria " + n}, {"scoring", "V, orch"}, {"text", "gratia plena"}}};
  piece.voices = {melody(number), melody(number + 1)};
  piece.voices[0].name = "Violino I";
  piece.source_text = "the record " + n + " as it was";
  return piece;
}

inline void expect_same(const Piece& a, const Piece& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.metadata, b.metadata) << a.id;
  EXPECT_EQ(a.voices, b.voices) << a.id;
  EXPECT_EQ(a.format, b.format) << a.id;
  EXPECT_EQ(a.source_text, b.source_text) << a.id;
}

inline Collection open_collection(const std::filesystem::path& path, OpenMode mode = OpenMode::create) {
  auto collection = Collection::open(path, mode);
  if (!collection) throw std::runtime_error(collection.error().to_string());
  return std::move(*collection);
}

/// The value, or the test stops with the error's words.
template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().to_string());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

inline std::vector<std::string> ids_of(Collection& collection) {
  std::vector<std::string> ids;
  must(collection.each_piece([&](const StoredPiece& stored) {
    ids.push_back(stored.piece.id);
    return true;
  }));
  return ids;
}

inline std::vector<std::string> ids_of(const std::vector<TextHit>& hits) {
  std::vector<std::string> ids;
  for (const TextHit& hit : hits) ids.push_back(hit.id);
  return ids;
}

/// Runs SQL on a connection of its own, past the rules of the collection but with right checksums of pages; rows joined
/// by newlines.
inline std::string sql(const std::filesystem::path& path, const std::string& text) {
  sqlite3* database = nullptr;
  std::string out;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, checked_files()),
            SQLITE_OK);
  const auto row = [](void* to, int columns, char** values, char** /*names*/) {
    auto& lines = *static_cast<std::string*>(to);
    if (!lines.empty()) lines += '\n';
    for (int i = 0; i < columns; ++i) ((lines += i == 0 ? "" : "|") += values[i] == nullptr ? "NULL" : values[i]);
    return 0;
  };
  char* problem = nullptr;
  EXPECT_EQ(sqlite3_exec(database, text.c_str(), row, &out, &problem), SQLITE_OK) << text << ": " << problem;
  sqlite3_free(problem);
  sqlite3_close(database);
  return out;
}

/// A JSON line for each piece: what import reads in these tests.
inline std::string json_lines(const std::vector<Piece>& pieces) {
  std::string lines;
  for (const Piece& piece : pieces) {
    lines += must(find_format("jsonl")->write(piece));
    if (!lines.ends_with('\n')) lines += '\n';
  }
  return lines;
}

inline std::string json_lines(int from, int to) {
  std::vector<Piece> pieces;
  for (int i = from; i < to; ++i) pieces.push_back(sample(i));
  return json_lines(pieces);
}

}  // namespace rondo::test
