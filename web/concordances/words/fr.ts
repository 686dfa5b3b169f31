// Every word the page of concordances says, in French.

import { fr as app } from "../../app/words/fr";
import { speechOf } from "../../shared/language";
import type { Words } from "./en";

const { number, plural, form } = speechOf("fr");

export const fr: Words = {
  common: app.common,
  title: "Concordances musicales",
  heading: "Mélodies qui sont le même air",
  search: "Recherche",
  loading: "Chargement …",
  login: {
    title: "Pour les éditeurs",
    lead: "Avec le jeton, on peut lancer un calcul et accepter ou rejeter ce qui a été trouvé. Il est affiché par",
    token: "Jeton",
    go: "Se connecter",
    wrong: "Ce n’est pas le jeton.",
  },
  run: {
    title: "Calcul",
    none: "Les concordances de cette collection n’ont pas encore été cherchées.",
    start: "Chercher les concordances",
    again: "Chercher à nouveau",
    goOn: "Commencer ou reprendre",
    by: "Seuil",
    probability: "probabilité",
    score: "score",
    leastProbability: "Au moins, en pour cent",
    leastScore: "Au moins",
    leastNotes: "Notes nécessaires par mélodie",
    either: "aussi une mélodie contenue dans une autre",
    begins: "Le calcul commence.",
    running: (share, minutes) => `${number(share)} % faits, encore ${plural(minutes, "minute", "minutes")} environ.`,
    cancel: "Annuler",
    cancelled: "Le calcul a été annulé. Avec les mêmes options, il reprend où il était.",
    done: (groups, melodies, compared) => `${plural(groups, "groupe", "groupes")} de ${plural(melodies, "mélodie", "mélodies")} ; ${number(compared)} ont été comparées.`,
    tooShort: (n, least) => `${plural(n, "mélodie", "mélodies")} de moins de ${number(least)} notes ${form(n, "a été laissée", "ont été laissées")} de côté.`,
    ended: (time, pairs) => `Terminé le ${time} ; ${pairs} paires.`,
    failed: (what, hint) => `Le calcul a échoué : ${what}. ${hint}`,
  },
  files: "Exporter :",
  formats: { pairs: "paires (CSV)", groups: "groupes (CSV)", decisions: "décisions (CSV)", json: "JSON", html: "page", turtle: "RDF", marcxml: "MARCXML" },
  filters: {
    title: "Filtres",
    libraries: "entre bibliothèques",
    centuries: "entre siècles",
    composers: "attribuées à des compositeurs différents",
    undecided: "pas encore décidé",
    words: "Mots",
  },
  groups: {
    title: "Groupes",
    count: (shown, all) => `${number(shown)} sur ${plural(all, "groupe", "groupes")}`,
    legend: "Les mélodies sont dans le ton de la première. Rouge, avec un triangle : autre hauteur. Bleu, avec un plus : note ajoutée ; avec un moins : note manquante.",
    group: (n, size) => `Groupe ${number(n)} : ${plural(size, "mélodie", "mélodies")}`,
    pairs: (found, all, probability) => `${number(found)} sur ${plural(all, "paire", "paires")} trouvées${probability && ` ; probabilité moyenne ${probability}`}`,
    voice: (n) => `voix ${number(n)}`,
    centre: "Les autres sont alignées sur cette mélodie.",
    evidence: (partners, others, best, score, probability) => `Trouvée avec ${number(partners)} sur ${number(others)} ; la plus proche ${best} : score ${score}${probability && `, probabilité ${probability}`}`,
    staff: (same, other, added, missing) => `${plural(same, "note identique", "notes identiques")}, ${number(other)} d’une autre hauteur, ${number(added)} en plus, ${number(missing)} en moins`,
    pages: "Pages de groupes",
    previous: "Page précédente",
    next: "Page suivante",
    range: (first, last, all) => `${number(first)} à ${number(last)} sur ${number(all)}`,
  },
  decide: {
    accepted: "Acceptée.",
    rejected: "Rejetée.",
    accept: "Accepter",
    reject: "Rejeter",
    note: "Remarque",
    noteFor: (name) => `Remarque sur ${name}`,
    saved: "Enregistré.",
  },
};
