// Every word of the tables, in French.

import { speechOf } from "../../shared/language";
import { figuresOf } from "../figures";
import type { Words } from "./en";

const { plural } = speechOf("fr");
const { figure, fixed, plain, probability } = figuresOf("fr");
const p = (value: number | null): string => probability(value, "non testé");

export const fr: Words = {
  untitled: "Sans titre",
  kind: "Vérité de référence",
  simulated: "Votes simulés",
  simulatedLong: "Ces votes ont été produits par un programme pour essayer l’étude. Personne ne les a donnés.",
  rules: {
    paper: "une limite au-dessus de chaque candidat qui diffère de tous ceux au-dessus de lui",
    all: "un nouveau groupe où un candidat diffère de tous ceux du groupe en cours",
    any: "un nouveau groupe où un candidat diffère de l’un de ceux du groupe en cours",
    previous: "un nouveau groupe où un candidat diffère du précédent",
  },
  about: (rule, threshold) => `Classés par rang médian, puis rang moyen. Groupes : ${rule} ; test de la somme des rangs de Wilcoxon, bilatéral, p inférieur à ${plain(threshold)}.`,
  whose: (votes) =>
    [
      votes.unfinished ? "Les classements non terminés comptent aussi." : "Seuls les classements terminés comptent.",
      votes.minimum > 1 ? `Les candidats de moins de ${votes.minimum} votes sont laissés de côté.` : "Minimum de votes par candidat : 1.",
      ...votes.left_out.map(({ number, reason }) => `Le participant ${number} est laissé de côté : ${reason}.`),
      votes.withdrawn > 0 ? `${plural(votes.withdrawn, "participant s’est retiré", "participants se sont retirés")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  compact: "Compact",
  print: "Imprimer",
  printWaits: "Gravure …",
  contents: "Requêtes",
  query: (n) => `Requête ${n}`,
  queryRow: "Requête",
  columns: { rank: "Rang médian", incipit: "Incipit, compositeur, titre, cote", plot: "Rangs, et tests de Wilcoxon contre chacun au-dessus (foncé : p)" },
  group: (n) => `Groupe ${n}`,
  unranked: "Classés par personne",
  planted: "la requête elle-même, comme contrôle",
  votes: (n) => plural(n, "vote", "votes"),
  noVotes: "aucun vote",
  folded: (list) => `avec ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
  plot: (one) =>
    one.votes === 0
      ? "Aucun vote"
      : `${plural(one.votes, "vote", "votes")} ; médiane ${figure(one.median)}, moyenne ${figure(one.mean)}, écart type ${figure(one.deviation)} ; quartiles ${figure(one.q1)} à ${figure(one.q3)}, 10 à 90 pour cent ${figure(one.p10)} à ${figure(one.p90)}`,
  bar: (values) => {
    const tested = values.filter((one): one is number => one !== null);
    return `Tests contre ${plural(values.length, "candidat", "candidats")} au-dessus${tested.length > 0 ? ` ; le plus grand ${p(Math.max(...tested))}` : ""}`;
  },
  against: (n, value) => `contre le numéro ${n} : ${p(value)}`,
  all: (n) => `Montrer tous les candidats (${n})`,
  fewer: "En montrer moins",
  allTables: "Tous les candidats dans tous les tableaux",
  cut: (shown, all) => `${shown} candidats sur ${all} sont montrés ; sous la dernière limite, leur ordre n’est pas connu.`,
  noGroups: "Aucune limite : on ne peut rien dire de l’ordre de ces candidats.",
  noCandidates: "Aucun candidat n’a encore de vote.",
  answered: (n) => `${plural(n, "participant a répondu", "participants ont répondu")}`,
  agreement: (w, tau) => `accord : W de Kendall ${figure(w)}, τ moyen par paires ${figure(tau)}`,
  consistency: (contradicting, pairs, share) => `${contradicting} paires sur ${pairs} contredisent les groupes${share === null ? "" : ` (${fixed(100 * share, 1)} %)`}`,
  groups: (n) => plural(n, "groupe", "groupes"),
  legend: {
    title: "Comment lire les dessins",
    box: "boîte : du premier au troisième quartile ; moustaches : les 10 % du bas et du haut",
    vote: "un vote",
    median: "médiane",
    mean: "moyenne ; en tirets : un écart type de chaque côté",
    bar: "test contre un candidat au-dessus : la hauteur de la partie foncée est p",
  },
  experience: {
    title: "Expérience des participants",
    years: "Années d’expérience musicale",
    none: "Personne n’a encore rien indiqué.",
    plot: (n, median, mean) => `${plural(n, "participant", "participants")} ; médiane ${figure(median)}, moyenne ${figure(mean)} ans`,
    instruments: "Instruments",
  },
  made: "Fait avec Rondo",
  engraver: "Musique gravée par Verovio (LGPL), qui fait partie de ce fichier.",
  broken: "Ce fichier n’a pas de données lisibles.",
};
