#include <gmock/gmock.h>

#include <random>

#include "formats/readers.h"
#include "rondo/melody/builder.h"
#include "support/data.h"
#include "support/rounds.h"
#include "unit/formats/pae_support.h"

namespace pae_writer_test {

using pae_test::Header;
using pae_test::read;
using pae_test::show;
using rondo::Fraction;
using rondo::PaeVersion;
using rondo::Pitch;
using rondo::Voice;
using rondo::VoiceBuilder;

Pitch pitch(std::string_view name) { return *Pitch::parse(name); }

/// The notation alone, or the code of the error.
std::string notation(const Voice& voice, PaeVersion version = PaeVersion::v1) {
  auto text = rondo::to_pae(voice, version);
  return text ? text->data : text.error().code;
}

/// The same notation read and written again, in both versions.
std::string rewritten(const std::string& data, PaeVersion version, const Header& header = {}) {
  return notation(read(data, header).voice, version);
}

Voice read_again(const rondo::PaeText& text, PaeVersion version) {
  const std::string number = version == PaeVersion::v1 ? "1" : "2";
  rondo::PaeParser parser;
  Voice voice;
  rondo::Diagnostics warnings;
  const rondo::PaeFields fields{text.clef, text.key_signature, text.time_signature, text.key, text.data, number};
  const auto done = parser.parse(fields, {}, voice, warnings);
  EXPECT_TRUE(done) << done.error().to_string() << "\n" << text.data;
  for (const auto& warning : warnings) {
    EXPECT_TRUE(warning.code == "pae-clef-missing" || warning.code == "pae-accidental-odd")
        << warning.to_string() << "\n"
        << text.data;
  }
  return voice;
}

TEST(PaeWriter, WritesNotesAsCataloguersDo) {
  EXPECT_EQ(rewritten("4C8DE''2C", PaeVersion::v1), "'4C8DE''2C");
  EXPECT_EQ(rewritten("'4.C8D-,E", PaeVersion::v1), "'4.C8D-,E");
  EXPECT_EQ(rewritten("'4xCDxC/C", PaeVersion::v1), "'4xCDC/C") << "accidentals hold for the measure";
  EXPECT_EQ(rewritten("'4nBbEnE", PaeVersion::v1, Header{.keysig = "bB"}), "'4nBbEnE");
}

TEST(PaeWriter, WritesTiesOfEachVersion) {
  EXPECT_EQ(rewritten("'4xF+/8F+6FG", PaeVersion::v1), "'4xF+/8.F6G") << "8 tied to 6 is a dotted 8";
  EXPECT_EQ(rewritten("'4xF+/8F+6F4G", PaeVersion::v2), "'4xF/8._4G");
  EXPECT_EQ(rewritten("'2C+8CD", PaeVersion::v1), "'2C+8CD");
}

TEST(PaeWriter, WritesChordsOfEachVersion) {
  EXPECT_EQ(rewritten("''2E^'B^xG+/''E^'B^G", PaeVersion::v1), "''2E^'B^xG+/''E^'B^G");
  EXPECT_EQ(rewritten("''2E^'B^xG", PaeVersion::v2), "2^'xGB''E>");
  EXPECT_EQ(rewritten("2^'xGB''E>/4_", PaeVersion::v1), "''2E^'B^xG+/''4E^'B^G");
}

TEST(PaeWriter, WritesOrnamentsOfEachVersion) {
  EXPECT_EQ(rewritten("'2Ag''C'Bq8A4Gqq8F6Er4D", PaeVersion::v1), "'2Ag''C'Bq8A4Gqq8F6Er4D");
  EXPECT_EQ(rewritten("'2Aqq8F6Er4D", PaeVersion::v2), "'2Ay8F6Er4D");
}

TEST(PaeWriter, WritesTupletsAsExactFractions) {
  EXPECT_EQ(rewritten("({8'ABC})D", PaeVersion::v1), "4('8ABC;3)D");
  EXPECT_EQ(rewritten("4('6FEDCA;5)", PaeVersion::v2), "4('6FEDCA;5)");
  EXPECT_EQ(rewritten("4('4D8E)", PaeVersion::v1), "4('4D8E;3)");
  EXPECT_EQ(rewritten("'8B+(6BCD)", PaeVersion::v1), "4('4B6CD;3)") << "the tied note is one";
}

TEST(PaeWriter, WritesFreeRhythmsWhereSomeTupletFits) {
  VoiceBuilder builder;
  builder.note(0, Fraction(3, 7), pitch("C4"));
  builder.note(Fraction(3, 7), Fraction(4, 7), pitch("D4"));
  const Voice voice = *builder.finish();
  EXPECT_EQ(notation(voice), "1('2.C1D;7)") << "seven quarters in the time of a whole note";
}

TEST(PaeWriter, CutsALongTupletIntoValuesWithTies) {
  VoiceBuilder builder;
  builder.note(0, Fraction(5, 12), pitch("C4"));
  builder.note(Fraction(5, 12), Fraction(5, 24), pitch("D4"));
  const Voice voice = *builder.finish();
  EXPECT_EQ(notation(voice), "2('2C+8CD+;3)D") << "5/8 in all: a half and an eighth";
  EXPECT_EQ(show(read(notation(voice)).voice), "C4 5/12 D4 5/24");
}

TEST(PaeWriter, WritesMeasureRests) {
  EXPECT_EQ(rewritten("=25/=5/'4.A/=1/", PaeVersion::v1, Header{.timesig = "3/8"}), "=30/'4.A/=1/");
  EXPECT_EQ(rewritten("=2/@2/4 =2/'2A", PaeVersion::v1, Header{.timesig = "3/8"}), "=2/@2/4 =2/'2A");
  EXPECT_EQ(rewritten("8-/'4A", PaeVersion::v1, Header{.timesig = "3/8"}), "8-/'4A");
}

TEST(PaeWriter, WritesHeaderAndChanges) {
  const Voice voice =
      read("'4C/%F-4$n@3/4|4/4 ,B", Header{.clef = "C+3", .keysig = "xFC", .timesig = "c/", .key = "b"}).voice;
  auto v1 = rondo::to_pae(voice, PaeVersion::v1);
  ASSERT_TRUE(v1);
  EXPECT_EQ(rondo::to_single_line(*v1, PaeVersion::v1), "%C+3@c/$xFC '4C/%F-4 $n @3/4|4/4 ,B");
  EXPECT_EQ(v1->key, "b");
  auto v2 = rondo::to_pae(voice, PaeVersion::v2);
  ASSERT_TRUE(v2);
  EXPECT_EQ(rondo::to_single_line(*v2, PaeVersion::v2), ";pe2%C*3@c/$xFC '4C/%F-4$n@3/4|4/4 ,B");
}

TEST(PaeWriter, RefusesWhatPaeCannotSay) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 2), pitch("C5"));
  builder.note(Fraction(1, 4), Fraction(1, 4), pitch("C4"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "overlap";
  builder.note(0, Fraction(1, 2), pitch("C5"));
  builder.note(0, Fraction(1, 4), pitch("C4"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "chord of unequal notes";
  builder.note(0, Fraction(1, 3), pitch("C5"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "a third of a whole note that nothing completes";
  builder.note(0, Fraction(1, 100'003), pitch("C5"));
  builder.note(Fraction(1, 100'003), Fraction(100'002, 100'003), pitch("C4"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "a tuplet beyond reason";
  builder.grace(0, Fraction(1, 3), pitch("C5"));
  builder.note(0, Fraction(1, 4), pitch("C5"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "an ornament of no value";
  builder.note(0, 0, pitch("C5"));
  EXPECT_EQ(notation(*builder.finish()), "cannot-write") << "a note without length";
}

TEST(PaeWriter, UsesVersion2WhereOnlyThatHasTheValue) {
  VoiceBuilder builder;
  builder.note(0, Fraction(3, 256), pitch("C4"));
  rondo::Piece piece;
  piece.id = "x";
  piece.voices.push_back(*builder.finish());
  EXPECT_EQ(notation(piece.voices[0]), "cannot-write") << "version 1 reads 7. as a neume";
  auto text = rondo::write_pae(piece);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "@id:x\n@clef:\n@version:pe2\n@data:'7.C\n");
}

TEST(PaeWriter, GivesBackTheRecord) {
  rondo::Piece piece;
  piece.id = "rism-7";
  piece.metadata.title = "Roslin Castle";
  piece.metadata.composer = "Anon";
  piece.metadata.source = "Songs: book 2";
  piece.metadata.library = "D-Dl";
  piece.metadata.shelfmark = "Mus. 1";
  piece.metadata.catalogue = {"A 1", "B 2"};
  piece.metadata.uri = "urn:x";
  piece.metadata.year = "1750";
  piece.metadata.fields = {
      {"family", "roslin"}, {"Tempo", ""}, {"data", "no notation"}, {"odd: name", "a=b"}, {"x", "y"}};
  piece.voices.push_back(
      read("8'E/=2/4('8CDE;3)+2E//'$xF F%F-4 ,F", Header{.keysig = "bB", .timesig = "3/4", .key = "d"}).voice);
  piece.voices[0].name = "Violino I";
  auto text = rondo::write_pae(piece);
  ASSERT_TRUE(text) << text.error().to_string();
  rondo::CollectingSink sink;
  read_text("pae", *text, sink);
  ASSERT_EQ(sink.pieces.size(), 1U) << *text;
  EXPECT_EQ(sink.pieces[0].id, piece.id);
  EXPECT_EQ(sink.pieces[0].metadata, piece.metadata) << *text;
  EXPECT_EQ(sink.pieces[0].voices, piece.voices) << *text;
  EXPECT_TRUE(sink.warnings.empty());
}

TEST(PaeWriter, WritesRecordsThatCanBePutIntoOneFile) {
  std::string file;
  for (const char* id : {"a", "b", "c"}) {
    rondo::Piece piece;
    piece.id = id;
    piece.metadata.title = "two\nlines";
    if (*id != 'b') piece.voices.push_back(read("'4CDE").voice);
    file += *rondo::write_pae(piece);
  }
  rondo::CollectingSink sink;
  read_text("pae", file, sink);
  ASSERT_EQ(sink.pieces.size(), 3U) << file;
  EXPECT_EQ(sink.pieces[1].id, "b");
  EXPECT_TRUE(sink.pieces[1].voices.empty());
  EXPECT_EQ(sink.pieces[2].metadata.title, "two lines") << "a value has one line";
}

TEST(PaeWriter, HoldsOneVoice) {
  rondo::Piece piece;
  piece.voices.resize(2);
  EXPECT_EQ(rondo::write_pae(piece).error().code, "cannot-write");
}

/// Random voices: what is written must read as the very same voice.
class RandomVoice {
 public:
  explicit RandomVoice(unsigned seed) : random_(seed) {}

  /// `tuplets`: groups that fill a plain value; `wild`: any fraction anywhere.
  Voice make(bool tuplets, bool wild) {
    VoiceBuilder builder;
    at_ = Fraction();
    if (chance(2)) builder.clef(0, clef());
    if (chance(2)) builder.key_signature(0, rondo::KeySignature::from_fifths(pick(-7, 7)));
    if (chance(2)) builder.time(0, time());
    if (chance(4))
      builder.key(0, rondo::Key{static_cast<std::int8_t>(pick(0, 6)), static_cast<std::int8_t>(pick(-1, 1)),
                                static_cast<rondo::Mode>(pick(0, 8))});
    const bool measured = chance(2);
    if (measured) builder.bar(0);
    const int events = pick(1, 25);
    for (int i = 0; i < events; ++i) {
      if (tuplets && chance(4)) {
        tuplet(builder);
      } else {
        sound(builder, wild ? Fraction(pick(1, 30), pick(1, 16)) : plain());
      }
      if (chance(8) && i + 1 < events) change(builder);
      // Bar lines may fall into a note that has begun.
      if (measured && chance(4) && i + 1 < events)
        builder.bar(at_ - (!tuplets && chance(3) && at_ > Fraction(1) ? Fraction(1, 16) : 0));
    }
    builder.lasts_until(at_);
    Voice voice = *builder.finish();
    while (!voice.bars.empty() && voice.bars.back() >= voice.length && voice.bars.size() > 1) voice.bars.pop_back();
    return voice;
  }

 private:
  bool chance(int one_in) { return pick(1, one_in) == 1; }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Fraction plain() { return chance(5) ? Fraction(pick(1, 600), 128) : Fraction(pick(1, 7), 1 << pick(0, 5)); }
  rondo::Clef clef() {
    return rondo::Clef{"GgCF"[pick(0, 3)], static_cast<std::int8_t>(pick(1, 5)),
                       static_cast<rondo::Clef::Kind>(pick(0, 2))};
  }
  rondo::TimeSignature time() {
    static const std::vector<rondo::TimeSignature> times = {{4, 4, "c"}, {2, 2, "c/"}, {3, 4, ""},        {6, 8, ""},
                                                            {3, 4, "3"}, {3, 1, "o"},  {3, 4, "3/4 4/4"}, {5, 7, ""}};
    return times[static_cast<std::size_t>(pick(0, 7))];
  }
  Pitch any_pitch() {
    return Pitch{static_cast<std::int8_t>(pick(0, 6)), static_cast<std::int8_t>(chance(3) ? pick(-3, 3) : 0),
                 static_cast<std::int8_t>(chance(5) ? pick(0, 8) : pick(3, 5))};
  }
  void sound(VoiceBuilder& builder, Fraction duration) {
    if (chance(8)) {
      for (int i = pick(1, 3); i > 0; --i)
        builder.grace(at_, chance(2) ? Fraction(0) : Fraction(pick(1, 3), 16), any_pitch());
    }
    if (!chance(6)) {
      for (int i = chance(5) ? pick(2, 5) : 1; i > 0; --i) builder.note(at_, duration, any_pitch());
    }
    at_ += duration;
  }
  void tuplet(VoiceBuilder& builder) {
    const int parts = pick(2, 13);
    const Fraction part = Fraction(pick(1, 7), 1 << pick(0, 3)) / parts;  // no shorter than figures are
    for (int left = parts; left > 0;) {
      const int length = pick(1, left);
      sound(builder, part * length);
      left -= length;
    }
  }
  void change(VoiceBuilder& builder) {
    if (chance(2)) builder.clef(at_, clef());
    if (chance(2)) builder.key_signature(at_, rondo::KeySignature::from_fifths(pick(-7, 7)));
    if (chance(2)) builder.time(at_, time());
  }

  std::mt19937 random_;
  Fraction at_;
};

TEST(PaeWriterProperty, PlainRhythmsAreAlwaysAndTupletsNearlyAlwaysWrittenAndReadBackInBothVersions) {
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < rondo::test::rounds(1500U); ++seed) {
    const Voice voice = RandomVoice(seed).make(seed % 2 == 1, false);
    for (const PaeVersion version : {PaeVersion::v1, PaeVersion::v2}) {
      auto text = rondo::to_pae(voice, version);
      if (!text && seed % 2 == 1) {
        ++refused;  // a change or ornament cuts a tuplet into pieces finer than any figure
        continue;
      }
      ASSERT_TRUE(text) << "seed " << seed << ": " << text.error().to_string();
      const Voice again = read_again(*text, version);
      ASSERT_EQ(again, voice) << "seed " << seed << "\n" << text->data << "\n" << show(voice) << "\n" << show(again);
    }
  }
  EXPECT_LT(refused, rondo::test::rounds(75U)) << "of 1500";
}

TEST(PaeWriterProperty, WildRhythmsAreRefusedOrReadBack) {
  std::size_t written = 0;
  for (unsigned seed = 0; seed < rondo::test::rounds(1000U); ++seed) {
    const Voice voice = RandomVoice(seed).make(true, true);
    auto text = rondo::to_pae(voice, PaeVersion::v2);
    if (!text) {
      ASSERT_EQ(text.error().code, "cannot-write");
      continue;
    }
    ++written;
    ASSERT_EQ(read_again(*text, PaeVersion::v2), voice) << "seed " << seed << "\n" << text->data;
  }
  EXPECT_GT(written, rondo::test::rounds(30U));
}

TEST(PaeWriterProperty, TheOneLineFormReadsBack) {
  for (unsigned seed = 0; seed < rondo::test::rounds(300U); ++seed) {
    Voice voice = RandomVoice(seed).make(true, false);
    voice.keys.clear();  // has no place on the line
    const PaeVersion version = seed % 2 == 0 ? PaeVersion::v1 : PaeVersion::v2;
    auto text = rondo::to_pae(voice, version);
    if (!text) continue;
    if (text->clef.empty()) continue;  // not a line anybody would recognise
    rondo::CollectingSink sink;
    read_text("pae", rondo::to_single_line(*text, version), sink);
    ASSERT_EQ(sink.pieces.size(), 1U);
    if (text->data.empty()) continue;
    ASSERT_EQ(sink.pieces[0].voices.at(0), voice) << rondo::to_single_line(*text, version);
  }
}

TEST(PaeWriterProperty, VersionsConvertIntoEachOther) {
  for (unsigned seed = 0; seed < rondo::test::rounds(300U); ++seed) {
    const Voice voice = RandomVoice(seed).make(true, false);
    auto v1 = rondo::to_pae(voice, PaeVersion::v1);
    if (!v1) continue;
    auto v2 = rondo::to_pae(read_again(*v1, PaeVersion::v1), PaeVersion::v2);
    ASSERT_TRUE(v2);
    auto back = rondo::to_pae(read_again(*v2, PaeVersion::v2), PaeVersion::v1);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->data, v1->data);
  }
}

}  // namespace pae_writer_test
