// Every word the page of concordances says, in German.

import { de as app } from "../../app/words/de";
import { speechOf } from "../../shared/language";
import type { Words } from "./en";

const { number, plural, form } = speechOf("de");

export const de: Words = {
  common: app.common,
  title: "Konkordanzen",
  heading: "Melodien, die dieselbe Weise sind",
  search: "Suche",
  loading: "Wird geladen …",
  login: {
    title: "Für Redaktionen",
    lead: "Wer das Token hat, kann einen Lauf starten und Funde annehmen oder ablehnen. Es wird ausgegeben von",
    token: "Token",
    go: "Anmelden",
    wrong: "Das ist nicht das Token.",
  },
  run: {
    title: "Lauf",
    none: "In dieser Sammlung wurde noch nicht nach Konkordanzen gesucht.",
    start: "Konkordanzen suchen",
    again: "Neu suchen",
    goOn: "Beginnen oder fortsetzen",
    by: "Schwelle",
    probability: "Wahrscheinlichkeit",
    score: "Punktzahl",
    leastProbability: "Mindestens, in Prozent",
    leastScore: "Mindestens",
    leastNotes: "Noten, die eine Melodie braucht",
    either: "auch Melodien, die Teil einer anderen sind",
    begins: "Der Lauf beginnt.",
    running: (share, minutes) => `${number(share)} % erledigt, noch etwa ${plural(minutes, "Minute", "Minuten")}.`,
    cancel: "Abbrechen",
    cancelled: "Der Lauf wurde abgebrochen. Mit denselben Einstellungen geht er weiter, wo er war.",
    done: (groups, melodies, compared) => `${plural(groups, "Gruppe", "Gruppen")} aus ${plural(melodies, "Melodie", "Melodien")}; ${number(compared)} wurden verglichen.`,
    tooShort: (n, least) => `${plural(n, "Melodie", "Melodien")} mit weniger als ${number(least)} Noten ${form(n, "wurde", "wurden")} ausgelassen.`,
    ended: (time, pairs) => `Beendet ${time}; ${pairs} Paare.`,
    failed: (what, hint) => `Der Lauf ist gescheitert: ${what}. ${hint}`,
  },
  files: "Exportieren:",
  formats: { pairs: "Paare (CSV)", groups: "Gruppen (CSV)", decisions: "Entscheidungen (CSV)", json: "JSON", html: "Seite", turtle: "RDF", marcxml: "MARCXML" },
  filters: {
    title: "Filter",
    libraries: "über Bibliotheken hinweg",
    centuries: "über Jahrhunderte hinweg",
    composers: "verschiedenen Komponisten zugeschrieben",
    undecided: "noch nicht entschieden",
    words: "Wörter",
  },
  groups: {
    title: "Gruppen",
    count: (shown, all) => `${number(shown)} von ${plural(all, "Gruppe", "Gruppen")}`,
    legend: "Die Melodien stehen in der Tonart der ersten. Rot, mit Dreieck: andere Tonhöhe. Blau, mit Plus: zusätzliche Note; mit Minus: fehlende Note.",
    group: (n, size) => `Gruppe ${number(n)}: ${plural(size, "Melodie", "Melodien")}`,
    pairs: (found, all, probability) => `${number(found)} von ${plural(all, "Paar", "Paaren")} gefunden${probability && `; mittlere Wahrscheinlichkeit ${probability}`}`,
    voice: (n) => `Stimme ${number(n)}`,
    centre: "Die anderen sind an dieser Melodie ausgerichtet.",
    evidence: (partners, others, best, score, probability) => `Gefunden mit ${number(partners)} von ${number(others)}; am nächsten ${best}: Punktzahl ${score}${probability && `, Wahrscheinlichkeit ${probability}`}`,
    staff: (same, other, added, missing) => `${plural(same, "Note", "Noten")} gleich, ${number(other)} mit anderer Tonhöhe, ${number(added)} zusätzlich, ${number(missing)} fehlend`,
    pages: "Seiten mit Gruppen",
    previous: "Vorige Seite",
    next: "Nächste Seite",
    range: (first, last, all) => `${number(first)} bis ${number(last)} von ${number(all)}`,
  },
  decide: {
    accepted: "Angenommen.",
    rejected: "Abgelehnt.",
    accept: "Annehmen",
    reject: "Ablehnen",
    note: "Notiz",
    noteFor: (name) => `Notiz zu ${name}`,
    saved: "Gespeichert.",
  },
};
