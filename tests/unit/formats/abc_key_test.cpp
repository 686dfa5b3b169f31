#include "abc_support.h"

namespace rondo::abc_test {
namespace abc_key_test {

/// Signature as PAE writes it, then the key, of a tune with this K: field.
std::string key(const std::string& field) {
  const Voice voice = music("C", "L:1/4\nK:" + field + "\n");
  std::string out = voice.key_signatures.at(0).value.to_string();
  return out + (voice.keys.empty() ? " -" : " " + voice.keys[0].value.to_string());
}

TEST(AbcKey, MajorAndMinor) {
  EXPECT_EQ(key("C"), " C major");
  EXPECT_EQ(key("G"), "xF G major");
  EXPECT_EQ(key("Bb"), "bBE Bb major");
  EXPECT_EQ(key("F#"), "xFCGDAE F# major");
  EXPECT_EQ(key("Am"), " A minor");
  EXPECT_EQ(key("F#m"), "xFCG F# minor");
  EXPECT_EQ(key("Bbmin"), "bBEADG Bb minor");
  EXPECT_EQ(key("Gmaj"), "xF G major");
  EXPECT_EQ(key("G major"), "xF G major");
  EXPECT_EQ(key("E minor"), "xF E minor");
}

TEST(AbcKey, ModesByTheirFirstThreeLettersInAnyCase) {
  EXPECT_EQ(key("Ddor"), " D dorian");
  EXPECT_EQ(key("D Dorian"), " D dorian");
  EXPECT_EQ(key("EPHRYGIAN"), " E phrygian");
  EXPECT_EQ(key("Flyd"), " F lydian");
  EXPECT_EQ(key("G mixolydian"), " G mixolydian");
  EXPECT_EQ(key("AMix"), "xFC A mixolydian");
  EXPECT_EQ(key("Aaeo"), " A aeolian");
  EXPECT_EQ(key("Cion"), " C ionian");
  EXPECT_EQ(key("Bloc"), " B locrian");
}

TEST(AbcKey, ACapitalMAfterTheTonicIsMajorWithARemark) {
  for (const char* field : {"AM", "A M"}) {
    CollectingSink sink;
    read(sink, std::string("X:1\nK:") + field + "\nA|\n");
    ASSERT_EQ(sink.warnings.size(), 1U) << field;
    EXPECT_EQ(sink.warnings[0].code, "abc-mode-ambiguous");
    EXPECT_EQ(key(field), "xFCG A major");
  }
}

TEST(AbcKey, AccidentalsModifyTheSignature) {
  EXPECT_EQ(key("D =c"), "xF D major");
  EXPECT_EQ(key("D=c"), "xF D major");
  EXPECT_EQ(key("Am ^g"), "xG A minor");
  EXPECT_EQ(key("D Phr ^f"), "xFbBE D phrygian");
  EXPECT_EQ(key("D maj _b _e"), "xFCbBE D major");
}

TEST(AbcKey, ExplicitAccidentalsStandAlone) {
  EXPECT_EQ(key("D exp _b _e ^f"), "xFbBE -");
  EXPECT_EQ(key("exp"), " -") << "no tonic at all";
}

TEST(AbcKey, NoneAndBagpipes) {
  EXPECT_EQ(key("none"), " -");
  EXPECT_EQ(key(""), " -");
  EXPECT_EQ(key("Hp"), "xFC -");
  EXPECT_EQ(key("HP"), "xFC -");
}

TEST(AbcKey, GermanNamesAreUnderstoodWithARemark) {
  EXPECT_EQ(key("H"), "xFCGDA B major");
  EXPECT_EQ(key("Es"), "bBEA Eb major");
  EXPECT_EQ(key("As"), "bBEAD Ab major");
  EXPECT_EQ(key("Fis"), "xFCGDAE F# major");
  CollectingSink sink;
  read(sink, "X:1\nK:Es\nC|");
  EXPECT_TRUE(has_code(sink.warnings, "abc-key-german"));
}

TEST(AbcKey, UnknownModesAndWordsAreRemarkedOn) {
  for (const auto& [field, code] :
       {std::pair{"Cfoo", "abc-mode-unknown"}, std::pair{"C frobnicate=3", "abc-setting-unknown"},
        std::pair{"C clef=wrong", "abc-clef-unknown"}, std::pair{"C ^x", "abc-key-unknown"},
        std::pair{"g", "abc-key-lowercase"}}) {
    CollectingSink sink;
    read(sink, std::string("X:1\nK:") + field + "\nC|");
    EXPECT_TRUE(has_code(sink.warnings, code)) << field;
    EXPECT_EQ(sink.pieces.size(), 1U);
  }
}

TEST(AbcKey, DecidesThePitchOfNotes) {
  EXPECT_EQ(names(music("CDEFGAB", "L:1/4\nK:A\n")), "C#4 D4 E4 F#4 G#4 A4 B4");
  EXPECT_EQ(names(music("ABc", "L:1/4\nK:Gm\n")), "A4 Bb4 C5");
  EXPECT_EQ(names(music("F[K:G]F[K:C clef=bass]F\nK:D\nF", "L:1/4\nK:C\n")), "F4 F#4 F4 F#4");
}

TEST(AbcKey, ChangesAreKeptWithTheirMoment) {
  const Voice voice = music("C4|\nK:G\nG4|");
  ASSERT_EQ(voice.key_signatures.size(), 2U);
  EXPECT_EQ(voice.key_signatures[1].onset, Fraction(1));
  EXPECT_EQ(voice.key_signatures[1].value.to_string(), "xF");
  EXPECT_EQ(voice.keys[1].value.to_string(), "G major");
}

std::string clef(const std::string& field) {
  const Voice voice = music("C", "L:1/4\nK:" + field + "\n");
  return voice.clefs.empty() ? "-" : voice.clefs[0].value.to_string();
}

TEST(AbcClef, AllNames) {
  EXPECT_EQ(clef("C"), "-");
  EXPECT_EQ(clef("C treble"), "G-2");
  EXPECT_EQ(clef("C bass"), "F-4");
  EXPECT_EQ(clef("C clef=bass3"), "F-3");
  EXPECT_EQ(clef("C clef=alto"), "C-3");
  EXPECT_EQ(clef("C tenor"), "C-4");
  EXPECT_EQ(clef("C soprano"), "C-1");
  EXPECT_EQ(clef("C mezzosoprano"), "C-2");
  EXPECT_EQ(clef("C baritone"), "F-3");
  EXPECT_EQ(clef("C perc"), "P-3");
  EXPECT_EQ(clef("C clef=treble1"), "G-1");
  EXPECT_EQ(clef("clef=alto"), "C-3") << "without a key";
  EXPECT_EQ(clef("C clef=none"), "-");
}

TEST(AbcClef, OctaveSignsMoveTheSound) {
  EXPECT_EQ(names(music("C", "K:C clef=treble-8\n")), "C3");
  EXPECT_EQ(clef("C clef=treble-8"), "g-2");
  EXPECT_EQ(names(music("C", "K:C clef=treble+8\n")), "C5");
  EXPECT_EQ(names(music("C", "K:C clef=bass\n")), "C4") << "a clef alone moves nothing";
}

TEST(AbcSettings, OctaveShifts) {
  EXPECT_EQ(names(music("Cc", "K:C octave=-1\n")), "C3 C4");
  EXPECT_EQ(names(music("C[K:octave=1]C[K:octave=0]C", "K:C\n")), "C4 C5 C4");
}

TEST(AbcSettings, TransposeChangesPitchAndSignatureToWhatSounds) {
  // A clarinet in B flat: written C major sounds in B flat major.
  const Voice voice = music("CDE^FB", "K:C transpose=-2\n");
  EXPECT_EQ(names(voice), "Bb3 C4 D4 E4 A4");
  EXPECT_EQ(voice.key_signatures[0].value.to_string(), "bBE");
  EXPECT_EQ(voice.keys[0].value.to_string(), "Bb major");
}

TEST(AbcSettings, TransposeSpellsAsTheResultingKeyIs) {
  // Up a semitone from E (four sharps) is F, one flat, not E sharp.
  EXPECT_EQ(names(music("EG", "K:E transpose=1\n")), "F4 A4");
  // From B flat up a semitone: B with five sharps, rather than C flat with seven flats.
  EXPECT_EQ(names(music("B", "K:Bb transpose=1\n")), "B4");
  EXPECT_EQ(names(music("C", "K:C transpose=14\n")), "D5");
}

TEST(AbcMeter, AllForms) {
  const auto meter = [](const std::string& field) {
    const TimeSignature time = music("C", "M:" + field + "\nK:C\n").times.at(0).value;
    return std::to_string(time.beats) + "/" + std::to_string(time.unit) + " " + time.symbol;
  };
  EXPECT_EQ(meter("C"), "4/4 c");
  EXPECT_EQ(meter("C|"), "2/2 c/");
  EXPECT_EQ(meter("6/8"), "6/8 ");
  EXPECT_EQ(meter("(2+3)/8"), "5/8 (2+3)/8");
  EXPECT_EQ(meter("2+3+2/8"), "7/8 2+3+2/8");
  EXPECT_EQ(meter("3/4+2/4"), "5/4 3/4+2/4");
  EXPECT_EQ(meter("none"), "0/4 ");
  EXPECT_EQ(meter("nonsense"), "0/4 ");
}

TEST(AbcMeter, OfRandomSizesIsRefusedWithARemark) {
  for (const std::string_view meter : {"0/4", "4/0", "99999999999999999999/4", "FREI4/4", "4"}) {
    CollectingSink sink;
    read(sink, "X:1\nM:" + std::string(meter) + "\nK:C\nC|");
    EXPECT_TRUE(has_code(sink.warnings, "abc-meter-unknown")) << meter;
  }
}

}  // namespace abc_key_test
}  // namespace rondo::abc_test
