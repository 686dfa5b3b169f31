// Every word the page of concordances says, in Italian.

import { it as app } from "../../app/words/it";
import { speechOf } from "../../shared/language";
import type { Words } from "./en";

const { number, plural, form } = speechOf("it");

export const it: Words = {
  common: app.common,
  title: "Concordanze",
  heading: "Melodie che sono la stessa aria",
  search: "Ricerca",
  loading: "Caricamento …",
  login: {
    title: "Per i redattori",
    lead: "Con il token si può avviare un calcolo e accettare o rifiutare ciò che è stato trovato. È stampato da",
    token: "Token",
    go: "Accedi",
    wrong: "Questo non è il token.",
  },
  run: {
    title: "Calcolo",
    none: "Le concordanze di questa collezione non sono ancora state cercate.",
    start: "Cerca le concordanze",
    again: "Cerca di nuovo",
    goOn: "Inizia o riprendi",
    by: "Soglia",
    probability: "probabilità",
    score: "punteggio",
    leastProbability: "Almeno, in percentuale",
    leastScore: "Almeno",
    leastNotes: "Note necessarie per melodia",
    either: "anche una melodia contenuta in un’altra",
    begins: "Il calcolo comincia.",
    running: (share, minutes) => `${number(share)} % fatto, ancora circa ${plural(minutes, "minuto", "minuti")}.`,
    cancel: "Annulla",
    cancelled: "Il calcolo è stato annullato. Con le stesse opzioni riprende da dov’era.",
    done: (groups, melodies, compared) => `${plural(groups, "gruppo", "gruppi")} di ${plural(melodies, "melodia", "melodie")}; ${number(compared)} confrontate.`,
    tooShort: (n, least) => `${plural(n, "melodia", "melodie")} con meno di ${number(least)} note ${form(n, "è stata tralasciata", "sono state tralasciate")}.`,
    ended: (time, pairs) => `Terminato ${time}; ${pairs} coppie.`,
    failed: (what, hint) => `Il calcolo non è riuscito: ${what}. ${hint}`,
  },
  files: "Esporta:",
  formats: { pairs: "coppie (CSV)", groups: "gruppi (CSV)", decisions: "decisioni (CSV)", json: "JSON", html: "pagina", turtle: "RDF", marcxml: "MARCXML" },
  filters: {
    title: "Filtri",
    libraries: "tra biblioteche diverse",
    centuries: "tra secoli diversi",
    composers: "attribuite a compositori diversi",
    undecided: "non ancora deciso",
    words: "Parole",
  },
  groups: {
    title: "Gruppi",
    count: (shown, all) => `${number(shown)} di ${plural(all, "gruppo", "gruppi")}`,
    legend: "Le melodie sono nella tonalità della prima. Rosso, con un triangolo: altra altezza. Blu, con un più: nota aggiunta; con un meno: nota mancante.",
    group: (n, size) => `Gruppo ${number(n)}: ${plural(size, "melodia", "melodie")}`,
    pairs: (found, all, probability) => `${number(found)} di ${plural(all, "coppia", "coppie")} trovate${probability && `; probabilità media ${probability}`}`,
    voice: (n) => `voce ${number(n)}`,
    centre: "Le altre sono allineate a questa melodia.",
    evidence: (partners, others, best, score, probability) => `Trovata con ${number(partners)} di ${number(others)}; la più vicina ${best}: punteggio ${score}${probability && `, probabilità ${probability}`}`,
    staff: (same, other, added, missing) => `${plural(same, "nota uguale", "note uguali")}, ${number(other)} di altra altezza, ${number(added)} in più, ${number(missing)} mancanti`,
    pages: "Pagine di gruppi",
    previous: "Pagina precedente",
    next: "Pagina successiva",
    range: (first, last, all) => `da ${number(first)} a ${number(last)} di ${number(all)}`,
  },
  decide: {
    accepted: "Accettata.",
    rejected: "Rifiutata.",
    accept: "Accetta",
    reject: "Rifiuta",
    note: "Nota",
    noteFor: (name) => `Nota su ${name}`,
    saved: "Salvato.",
  },
};
