// A handful of melodies for the mock server, written down for it: old tunes in plain variants, and titles that would be
// markup if anything took them for it.

export const kHostileTitle = "<img src=x onerror=window.caught=1> & “Rondeau”";

const about = (title, composer, year, library, shelfmark, uri = "") => ({ title, composer, year, library, shelfmark, uri });

export const kMelodies = [
  { id: "joy-1", pae: "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/", ...about("Ode to Joy", "Ludwig van Beethoven", 1824, "D-B", "Mus. ms. autogr. Beethoven 2", "https://example.org/joy") },
  { id: "joy-2", pae: "%G-2$bB@2/4 '8AAB''C/C'BAG/FFGA/A.6G4G/", ...about("Hymn for the Opening of a Bridge", "Anonymous", 1851, "GB-Lbl", "Add. MS 31415") },
  { id: "joy-3", pae: "%G-2@c '4EEFG/GFED/8CCDDE4E8D/2D-/", ...about("Freude, variation in eighths with a title so long that it has to go on to another line of the page and then some", "Carl Example", 1830, "A-Wn", "Mus.Hs. 123") },
  { id: "maman-1", pae: "%G-2@2/4 '4CC/GG/AA/2G/4FF/EE/DD/2C/", ...about("Ah! vous dirai-je, maman", "", 1761, "F-Pn", "Vm7 3641") },
  { id: "maman-2", pae: "%G-2$xF@c '8GGGG''DDDD/EEEE4DD/8CCCC'BBBB/", ...about(kHostileTitle, "Anonymous", 1790, "F-Pn", "Rés. 12") },
  { id: "folia-1", pae: "%G-2$bB@3/4 '2D4D/2xC4C/2D4E/2E4-/2F4F/2E4C/2D4xC/2xC", ...about("La Folia", "Arcangelo Corelli", 1700, "I-Rc", "Mus. 1700") },
  { id: "green-1", pae: "%G-2@6/8 '8A/''4C8D8.E6F8E/4D'8B8.G6A8B/''4C'8AA.6xG8A/4B8G4E/", ...about("Greensleeves", "", 1580, "GB-Cu", "Dd.2.11") },
  { id: "grace-1", pae: "%G-2$xF@3/4 g'8A4G+/8GA{BA}({8GFE})/2.G/", ...about("Menuet with ornaments", "Carl Example", 1770, "D-Dl", "Mus.1-N-1") },
  { id: "bass-1", pae: "%F-4$bBE@c ,4B,C,E,D/2,B,A/4GGFF/1B/", ...about("Basso", "Carl Example", 1690, "D-Dl", "Mus.2-O-7") },
];

export const kSystems = [
  {
    name: "shapeh",
    default: true,
    title: "Shape of three-note windows, hybrid",
    explanation: "Cuts both melodies into windows of three notes and lines the two rows up. Rare windows count more.",
    reference: "A paper, 2010",
    evidence: "exact",
    evidence_note: "",
    published_adr: null,
    invariant: { transposition: true, octave: false, tempo: true },
    shortest: 3,
    polyphonic: false,
    parameters: [],
  },
  {
    name: "time",
    title: "Shape of pitch and time",
    explanation: "As the other, and the rhythm has a weight.",
    reference: "A paper, 2011",
    evidence: "partial",
    evidence_note: "The paper leaves the cost of a gap open.",
    published_adr: 0.71,
    invariant: { transposition: true, octave: true, tempo: true },
    shortest: 4,
    polyphonic: false,
    parameters: [{ name: "rhythm", explanation: "weight of the rhythm; 0 ignores it", standard: 0.5, lowest: 0, highest: 2 }],
  },
  {
    name: "ngram",
    title: "Shared runs of intervals",
    explanation: "Counts the runs of three intervals that both melodies have.",
    reference: "A paper, 2003",
    evidence: "exact",
    evidence_note: "",
    published_adr: 0.55,
    invariant: { transposition: true, octave: false, tempo: true },
    shortest: 4,
    polyphonic: false,
    parameters: [],
  },
];
