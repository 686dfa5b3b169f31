// Metadata as a catalogue has it. All names are made up, so that nobody takes a generated record for a real one.

#include "parts.h"

namespace rondo::generate {
namespace {

using Words = std::string_view;

constexpr std::array<Words, 32> kFamilyNames = {
    "Abendglock",  "Aldwinter",  "Bellacorda",  "Brunnwiesner", "Caldarossa", "Crosbeck",    "Dallamonte",
    "Drosselmann", "Elsterbach", "Fairlocke",   "Feldmayer",    "Fontarelli", "Grauwinkel",  "Hollerstein",
    "Immerzeile",  "Jaskowiak",  "Kirchhaug",   "Lacombrée",    "Larkwood",   "Lindqvister", "Marchevino",
    "Montclairis", "Nachtweide", "Ostrowicki",  "Pellegrande",  "Quellmalz",  "Rosenthaler", "Sauvagère",
    "Tannhofer",   "Uccellorno", "Vandermolen", "Wiesenhauer",
};
constexpr std::array<Words, 24> kGivenNames = {
    "Anna",      "Antonio",   "Barbara",   "Carlo",   "Christian", "Claude", "Elisabeth", "Ferdinand",
    "Francesca", "Friedrich", "Georg",     "Giacomo", "Henry",     "Ignaz",  "Jan",       "Johann",
    "Josepha",   "Louis",     "Margarete", "Nicolas", "Pavel",     "Thomas", "Vincenzo",  "William",
};
constexpr std::array<Words, 28> kGenres = {
    "Sonata",     "Sinfonia",    "Concerto",  "Trio",    "Quartetto", "Menuet",       "Gavotte",
    "Allemande",  "Contredanse", "Polonaise", "Rondo",   "Air",       "Marche",       "Fantasia",
    "Kyrie",      "Gloria",      "Credo",     "Sanctus", "Agnus Dei", "Salve regina", "Ave maria",
    "Magnificat", "Cantata",     "Lied",      "Song",    "Duetto",    "Reel",         "Hymn",
};
/// The first fourteen genres are played, not sung: they are named by key and number.
constexpr int kInstrumental = 14;
constexpr std::array<Words, 12> kHeadings = {"Allegro",    "Andante",   "Adagio",   "Largo",
                                             "Presto",     "Vivace",    "Moderato", "Tempo giusto",
                                             "Allegretto", "Cantabile", "Grave",    "Con spirito"};
constexpr std::array<Words, 8> kScorings = {"vl 1", "fl", "ob", "S", "A", "T", "B", "cemb"};

/// No country has the siglum Q.
constexpr std::array<Words, 16> kLibraries = {"Q-Ab", "Q-Bm", "Q-Cu", "Q-Dh", "Q-Ew", "Q-Fp", "Q-Gs", "Q-Hl",
                                              "Q-Kn", "Q-Lo", "Q-Mz", "Q-Nr", "Q-Ov", "Q-Rt", "Q-Sb", "Q-Wa"};
constexpr std::array<Words, 6> kShelves = {"Mus. ms. ", "Mus.Hs. ", "Ms. ", "Cod. ", "Box ", "R 12/"};

template <std::size_t Size>
Words pick(Random& random, const std::array<Words, Size>& words) {
  return at(words, random.below(static_cast<int>(Size)));
}

}  // namespace

void describe(Random& random, const Sketch& sketch, Metadata& metadata) {
  const int genre = random.below(static_cast<int>(kGenres.size()));
  metadata.title = at(kGenres, genre);
  if (genre < kInstrumental) {
    const KeySignature signature = KeySignature::from_fifths(sketch.fifths);
    const int step = sketch.tonic % 7;
    const auto alter = at(signature.alter, step);
    metadata.title += " in ";
    metadata.title += letter_of_step(step);
    metadata.title += alter == 0 ? "" : alter < 0 ? "b" : "#";
    metadata.title += sketch.minor ? " minor" : " major";
    if (random.percent(40)) metadata.title += " no. " + std::to_string(random.between(1, 24));
  }
  if (random.percent(30)) {
    metadata.composer = "Anonymus";
  } else {
    metadata.composer = pick(random, kFamilyNames);
    metadata.composer += ", ";
    metadata.composer += pick(random, kGivenNames);
  }
  metadata.library = pick(random, kLibraries);
  metadata.shelfmark = pick(random, kShelves);
  metadata.shelfmark += std::to_string(random.between(1, 9999));
  metadata.year = random.percent(60) ? "ca. " : "";
  metadata.year += std::to_string(random.between(160, 185) * 10 + (metadata.year.empty() ? random.below(10) : 0));
  metadata.fields.reserve(4);
  metadata.fields.emplace_back("heading", pick(random, kHeadings));
  metadata.fields.emplace_back("scoring", pick(random, kScorings));
}

}  // namespace rondo::generate
