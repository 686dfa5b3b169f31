// Every word of the tables, in Spanish.

import { speechOf } from "../../shared/language";
import { figuresOf } from "../figures";
import type { Words } from "./en";

const { plural } = speechOf("es");
const { figure, fixed, plain, probability } = figuresOf("es");
const p = (value: number | null): string => probability(value, "sin prueba");

export const es: Words = {
  untitled: "Sin título",
  kind: "Verdad de referencia",
  simulated: "Votos simulados",
  simulatedLong: "Estos votos los hizo un programa para probar el estudio. Nadie los dio.",
  rules: {
    paper: "un límite sobre cada candidato que difiere de todos los que están encima",
    all: "un grupo nuevo donde un candidato difiere de todos los del grupo actual",
    any: "un grupo nuevo donde un candidato difiere de alguno del grupo actual",
    previous: "un grupo nuevo donde un candidato difiere del anterior",
  },
  about: (rule, threshold) => `Ordenados por rango mediano y luego por rango medio. Grupos: ${rule}; prueba de la suma de rangos de Wilcoxon, bilateral, p menor que ${plain(threshold)}.`,
  whose: (votes) =>
    [
      votes.unfinished ? "También cuentan las clasificaciones sin terminar." : "Solo cuentan las clasificaciones terminadas.",
      votes.minimum > 1 ? `Los candidatos con menos de ${votes.minimum} votos quedan fuera.` : "Mínimo de votos por candidato: 1.",
      ...votes.left_out.map(({ number, reason }) => `El participante ${number} queda fuera: ${reason}.`),
      votes.withdrawn > 0 ? `${plural(votes.withdrawn, "participante se retiró", "participantes se retiraron")}.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  compact: "Compacto",
  print: "Imprimir",
  printWaits: "Grabando …",
  contents: "Consultas",
  query: (n) => `Consulta ${n}`,
  queryRow: "Consulta",
  columns: { rank: "Rango mediano", incipit: "Íncipit, compositor, título, signatura", plot: "Rangos, y pruebas de Wilcoxon contra cada uno de arriba (oscuro: p)" },
  group: (n) => `Grupo ${n}`,
  unranked: "Clasificados por nadie",
  planted: "la propia consulta, como control",
  votes: (n) => plural(n, "voto", "votos"),
  noVotes: "sin votos",
  folded: (list) => `con ${list.map(({ id, relation }) => `${id} (${relation})`).join(", ")}`,
  plot: (one) =>
    one.votes === 0
      ? "Sin votos"
      : `${plural(one.votes, "voto", "votos")}; mediana ${figure(one.median)}, media ${figure(one.mean)}, desviación típica ${figure(one.deviation)}; cuartiles de ${figure(one.q1)} a ${figure(one.q3)}, del 10 al 90 por ciento de ${figure(one.p10)} a ${figure(one.p90)}`,
  bar: (values) => {
    const tested = values.filter((one): one is number => one !== null);
    return `Pruebas contra ${plural(values.length, "candidato", "candidatos")} de arriba${tested.length > 0 ? `; la mayor ${p(Math.max(...tested))}` : ""}`;
  },
  against: (n, value) => `contra el número ${n}: ${p(value)}`,
  all: (n) => `Mostrar todos los candidatos (${n})`,
  fewer: "Mostrar menos",
  allTables: "Todos los candidatos en todas las tablas",
  cut: (shown, all) => `Se muestran ${shown} candidatos de ${all}; bajo el último límite no se conoce su orden.`,
  noGroups: "Ningún límite: no se puede decir nada del orden de estos candidatos.",
  noCandidates: "Ningún candidato tiene votos todavía.",
  answered: (n) => `${plural(n, "participante respondió", "participantes respondieron")}`,
  agreement: (w, tau) => `acuerdo: W de Kendall ${figure(w)}, τ medio por pares ${figure(tau)}`,
  consistency: (contradicting, pairs, share) => `${contradicting} de ${pairs} pares contradicen los grupos${share === null ? "" : ` (${fixed(100 * share, 1)} %)`}`,
  groups: (n) => plural(n, "grupo", "grupos"),
  legend: {
    title: "Cómo leer los dibujos",
    box: "caja: del primer al tercer cuartil; bigotes: el 10 % inferior y superior",
    vote: "un voto",
    median: "mediana",
    mean: "media; a trazos: una desviación típica a cada lado",
    bar: "prueba contra un candidato de arriba: la altura de la parte oscura es p",
  },
  experience: {
    title: "Experiencia de los participantes",
    years: "Años de experiencia musical",
    none: "Nadie lo ha indicado todavía.",
    plot: (n, median, mean) => `${plural(n, "participante", "participantes")}; mediana ${figure(median)}, media ${figure(mean)} años`,
    instruments: "Instrumentos",
  },
  made: "Hecho con Rondo",
  engraver: "Música grabada por Verovio (LGPL), que forma parte de este archivo.",
  broken: "Este archivo no tiene datos legibles.",
};
