// Every word of the tables, in Italian.

import { speechOf } from "../../shared/language";
import { figuresOf } from "../figures";
import type { Words } from "./en";

const { plural } = speechOf("it");
const { figure, fixed, plain, probability } = figuresOf("it");
const p = (value: number | null): string => probability(value, "non verificato");

export const it: Words = {
  untitled: "Senza titolo",
  kind: "Verità di riferimento",
  simulated: "Voti simulati",
  simulatedLong: "Questi voti sono stati prodotti da un programma per provare lo studio. Nessuno li ha dati.",
  rules: {
    paper: "un confine sopra ogni candidato che differisce da tutti quelli sopra di esso",
    all: "un nuovo gruppo dove un candidato differisce da tutti quelli del gruppo corrente",
    any: "un nuovo gruppo dove un candidato differisce da uno di quelli del gruppo corrente",
    previous: "un nuovo gruppo dove un candidato differisce dal precedente",
  },
  about: (rule, threshold) => `Ordinati per rango mediano, poi per rango medio. Gruppi: ${rule}; test della somma dei ranghi di Wilcoxon, bilaterale, p inferiore a ${plain(threshold)}.`,
  whose: (votes) =>
    [
      votes.unfinished ? "Contano anche le graduatorie non finite." : "Contano solo le graduatorie finite.",
      votes.minimum > 1 ? `I candidati con meno di ${votes.minimum} voti sono tralasciati.` : "Minimo di voti per candidato: 1.",
      ...votes.left_out.map(({ number, reason }) => `Il partecipante ${number} è tralasciato: ${reason}.`),
      votes.withdrawn > 0 ? `${plural(votes.withdrawn, "partecipante si è ritirato", "partecipanti si sono ritirati")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  compact: "Compatto",
  print: "Stampa",
  printWaits: "Incisione …",
  contents: "Ricerche",
  query: (n) => `Ricerca ${n}`,
  queryRow: "Ricerca",
  columns: { rank: "Rango mediano", incipit: "Incipit, compositore, titolo, segnatura", plot: "Ranghi, e test di Wilcoxon contro ognuno sopra (scuro: p)" },
  group: (n) => `Gruppo ${n}`,
  unranked: "Classificati da nessuno",
  planted: "la ricerca stessa, come controllo",
  votes: (n) => plural(n, "voto", "voti"),
  noVotes: "nessun voto",
  folded: (list) => `con ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
  plot: (one) =>
    one.votes === 0
      ? "Nessun voto"
      : `${plural(one.votes, "voto", "voti")}; mediana ${figure(one.median)}, media ${figure(one.mean)}, deviazione standard ${figure(one.deviation)}; quartili da ${figure(one.q1)} a ${figure(one.q3)}, dal 10 al 90 per cento da ${figure(one.p10)} a ${figure(one.p90)}`,
  bar: (values) => {
    const tested = values.filter((one): one is number => one !== null);
    return `Test contro ${plural(values.length, "candidato", "candidati")} sopra${tested.length > 0 ? `; il maggiore ${p(Math.max(...tested))}` : ""}`;
  },
  against: (n, value) => `contro il numero ${n}: ${p(value)}`,
  all: (n) => `Mostra tutti i candidati (${n})`,
  fewer: "Mostra di meno",
  allTables: "Tutti i candidati in tutte le tabelle",
  cut: (shown, all) => `Sono mostrati ${shown} candidati su ${all}; sotto l’ultimo confine il loro ordine non è noto.`,
  noGroups: "Nessun confine: dell’ordine di questi candidati non si può dire nulla.",
  noCandidates: "Nessun candidato ha ancora un voto.",
  answered: (n) => `${plural(n, "partecipante ha risposto", "partecipanti hanno risposto")}`,
  agreement: (w, tau) => `accordo: W di Kendall ${figure(w)}, τ medio a coppie ${figure(tau)}`,
  consistency: (contradicting, pairs, share) => `${contradicting} coppie su ${pairs} contraddicono i gruppi${share === null ? "" : ` (${fixed(100 * share, 1)} %)`}`,
  groups: (n) => plural(n, "gruppo", "gruppi"),
  legend: {
    title: "Come leggere i disegni",
    box: "riquadro: dal primo al terzo quartile; baffi: il 10 % più basso e più alto",
    vote: "un voto",
    median: "mediana",
    mean: "media; tratteggiato: una deviazione standard per lato",
    bar: "test contro un candidato sopra: l’altezza della parte scura è p",
  },
  experience: {
    title: "Esperienza dei partecipanti",
    years: "Anni di esperienza musicale",
    none: "Nessuno l’ha ancora indicata.",
    plot: (n, median, mean) => `${plural(n, "partecipante", "partecipanti")}; mediana ${figure(median)}, media ${figure(mean)} anni`,
    instruments: "Strumenti",
  },
  made: "Fatto con Rondo",
  engraver: "Musica incisa da Verovio (LGPL), che fa parte di questo file.",
  broken: "Questo file non ha dati leggibili.",
};
