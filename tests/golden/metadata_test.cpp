// Metadata of all real melodies, written in each format and read again. Notes do not matter here: each record gets the
// same short voice, so that every format can hold it.

#include <gmock/gmock.h>

#include <map>

#include "rondo/melody/builder.h"
#include "support/data.h"

namespace rondo::metadata_golden_test {
namespace {

struct Source {
  const char* folder;
  const char* extension;
  const char* format;
};
constexpr Source kSources[] = {
    {"essen-abc", ".abc", "abc"},     {"nottingham/abc", ".abc", "abc"},     {"kern-chorales", ".krn", "kern"},
    {"musicxml", ".xml", "musicxml"}, {"musicxml", ".musicxml", "musicxml"}, {"mei", ".mei", "mei"},
    {"pae", ".pae", "pae"},           {"mtc-ann", ".jsonl", "jsonl"},
};

std::vector<Piece> all_pieces() {
  VoiceBuilder builder;
  for (int i = 0; i < 4; ++i) builder.note(Fraction(i, 4), Fraction(1, 4), Pitch{static_cast<std::int8_t>(i), 0, 4});
  const Voice voice = builder.finish().value();
  std::vector<Piece> pieces;
  for (const Source& source : kSources) {
    for (const auto& path : files_below(rondo_data(source.folder), source.extension)) {
      CollectingSink sink;
      ReadOptions options;
      options.file = std::string(source.folder) + "/" + path.filename().string();
      options.keep_source = false;
      read_text(source.format, slurp(path), sink, options);
      for (Piece& piece : sink.pieces) {
        piece.voices = {voice};
        pieces.push_back(std::move(piece));
      }
    }
  }
  return pieces;
}

/// What a format can hold. EsAC's own fields have names of capitals and nothing else, which stand for those of small
/// letters in other formats: names of another form (kern's OTL@EN, filter-keyboard) stay out.
Metadata held(const Format& format, Metadata metadata) {
  if (format.name == "esac") {
    std::erase_if(metadata.fields, [](const auto& field) {
      return std::any_of(field.first.begin(), field.first.end(), [](char c) { return c < 'a' || c > 'z'; });
    });
    std::stable_sort(metadata.fields.begin(), metadata.fields.end(),  // the incipit stands in the title's field
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  return metadata;
}

std::string show(const Metadata& m) {
  std::string out = m.title + " | " + m.composer + " | " + m.source + " | " + m.library + " | " + m.shelfmark + " | " +
                    m.uri + " | " + m.year + " |";
  for (const std::string& number : m.catalogue) out += " #" + number;
  for (const auto& [name, text] : m.fields) out += " " + name + "=" + text + ";";
  return out;
}

TEST(MetadataGolden, IsTheSameAfterWritingAndReading) {
  RONDO_NEEDS_DATA("essen-abc");
  const std::vector<Piece> pieces = all_pieces();
  EXPECT_GE(pieces.size(), 9000U);
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    std::size_t same = 0;
    int shown = 0;
    for (const Piece& piece : pieces) {
      const auto text = format.write(piece);
      ASSERT_TRUE(text) << format.name << " " << piece.id << ": " << text.error().to_string();
      CollectingSink sink;
      read_text(format.name, *text, sink);
      ASSERT_EQ(sink.pieces.size(), 1U) << format.name << " " << piece.id;
      const Piece& again = sink.pieces.front();
      if (held(format, again.metadata) == held(format, piece.metadata) && again.id == piece.id) {
        ++same;
      } else if (++shown <= 5) {
        ADD_FAILURE() << format.name << " " << piece.id << "\n  written: " << show(piece.metadata)
                      << "\n  read:    " << again.id << " " << show(again.metadata);
      }
    }
    EXPECT_EQ(same, pieces.size()) << format.name;
    std::cout << format.name << ": " << same << " of " << pieces.size() << " records\n";
  }
}

}  // namespace
}  // namespace rondo::metadata_golden_test
