// Every word of the tables, in German.

import { speechOf } from "../../shared/language";
import { figuresOf } from "../figures";
import type { Words } from "./en";

const { plural } = speechOf("de");
const { figure, fixed, plain, probability } = figuresOf("de");
const p = (value: number | null): string => probability(value, "nicht getestet");

export const de: Words = {
  untitled: "Ohne Titel",
  kind: "Referenz",
  simulated: "Simulierte Stimmen",
  simulatedLong: "Diese Stimmen hat ein Programm erzeugt, um die Studie auszuprobieren. Niemand hat sie abgegeben.",
  rules: {
    paper: "eine Grenze über jedem Kandidaten, der sich von allen über ihm unterscheidet",
    all: "eine neue Gruppe, wo ein Kandidat sich von allen der laufenden Gruppe unterscheidet",
    any: "eine neue Gruppe, wo ein Kandidat sich von einem der laufenden Gruppe unterscheidet",
    previous: "eine neue Gruppe, wo ein Kandidat sich vom vorigen unterscheidet",
  },
  about: (rule, threshold) => `Geordnet nach Median, dann Mittelwert der Ränge. Gruppen: ${rule}; Wilcoxon-Rangsummentest, zweiseitig, p unter ${plain(threshold)}.`,
  whose: (votes) =>
    [
      votes.unfinished ? "Auch unfertige Rangfolgen zählen." : "Nur fertige Rangfolgen zählen.",
      votes.minimum > 1 ? `Kandidaten mit weniger als ${votes.minimum} Stimmen sind ausgelassen.` : "Mindestzahl der Stimmen je Kandidat: 1.",
      ...votes.left_out.map(({ number, reason }) => `Person ${number} ist ausgelassen: ${reason}.`),
      votes.withdrawn > 0 ? `${plural(votes.withdrawn, "Person hat", "Personen haben")} die Teilnahme zurückgezogen.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  compact: "Kompakt",
  print: "Drucken",
  printWaits: "Notensatz …",
  contents: "Anfragen",
  query: (n) => `Anfrage ${n}`,
  queryRow: "Anfrage",
  columns: { rank: "Median der Ränge", incipit: "Incipit, Komponist, Titel, Signatur", plot: "Ränge, und Wilcoxon-Tests gegen jeden darüber (dunkel: p)" },
  group: (n) => `Gruppe ${n}`,
  unranked: "Von niemandem eingereiht",
  planted: "die Anfrage selbst, zur Kontrolle",
  votes: (n) => plural(n, "Stimme", "Stimmen"),
  noVotes: "keine Stimmen",
  folded: (list) => `mit ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
  plot: (one) =>
    one.votes === 0
      ? "Keine Stimmen"
      : `${plural(one.votes, "Stimme", "Stimmen")}; Median ${figure(one.median)}, Mittelwert ${figure(one.mean)}, Standardabweichung ${figure(one.deviation)}; Quartile ${figure(one.q1)} bis ${figure(one.q3)}, 10 bis 90 Prozent ${figure(one.p10)} bis ${figure(one.p90)}`,
  bar: (values) => {
    const tested = values.filter((one): one is number => one !== null);
    return `Tests gegen ${plural(values.length, "Kandidaten", "Kandidaten")} darüber${tested.length > 0 ? `; größtes ${p(Math.max(...tested))}` : ""}`;
  },
  against: (n, value) => `gegen Nummer ${n}: ${p(value)}`,
  all: (n) => `Alle ${plural(n, "Kandidaten", "Kandidaten")} zeigen`,
  fewer: "Weniger zeigen",
  allTables: "Alle Kandidaten in allen Tabellen",
  cut: (shown, all) => `${shown} von ${all} Kandidaten werden gezeigt; unter der letzten Grenze ist ihre Reihenfolge nicht bekannt.`,
  noGroups: "Keine Grenze: Über die Reihenfolge dieser Kandidaten lässt sich nichts sagen.",
  noCandidates: "Noch hat kein Kandidat eine Stimme.",
  answered: (n) => `${plural(n, "Person hat", "Personen haben")} geantwortet`,
  agreement: (w, tau) => `Übereinstimmung: Kendalls W ${figure(w)}, mittleres paarweises τ ${figure(tau)}`,
  consistency: (contradicting, pairs, share) => `${contradicting} von ${pairs} Paaren widersprechen den Gruppen${share === null ? "" : ` (${fixed(100 * share, 1)} %)`}`,
  groups: (n) => plural(n, "Gruppe", "Gruppen"),
  legend: {
    title: "Wie die Zeichnungen zu lesen sind",
    box: "Kasten: erstes bis drittes Quartil; Enden: unterste und oberste 10 %",
    vote: "eine Stimme",
    median: "Medianwert",
    mean: "Mittelwert; gestrichelt: eine Standardabweichung nach jeder Seite",
    bar: "Test gegen einen Kandidaten darüber: die Höhe des dunklen Teils ist p",
  },
  experience: {
    title: "Erfahrung der Teilnehmenden",
    years: "Jahre musikalischer Erfahrung",
    none: "Noch hat niemand etwas angegeben.",
    plot: (n, median, mean) => `${plural(n, "Person", "Personen")}; Median ${figure(median)}, Mittelwert ${figure(mean)} Jahre`,
    instruments: "Instrumente",
  },
  made: "Erstellt mit Rondo",
  engraver: "Notensatz von Verovio (LGPL), das in dieser Datei enthalten ist.",
  broken: "Diese Datei hat keine lesbaren Daten.",
};
