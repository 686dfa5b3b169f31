// Every word the page of concordances says, in Spanish.

import { es as app } from "../../app/words/es";
import { speechOf } from "../../shared/language";
import type { Words } from "./en";

const { number, plural, form } = speechOf("es");

export const es: Words = {
  common: app.common,
  title: "Concordancias",
  heading: "Melodías que son la misma tonada",
  search: "Búsqueda",
  loading: "Cargando …",
  login: {
    title: "Para editores",
    lead: "Con el token se puede iniciar un cálculo y aceptar o rechazar lo encontrado. Lo imprime",
    token: "Token",
    go: "Entrar",
    wrong: "Este no es el token.",
  },
  run: {
    title: "Cálculo",
    none: "Aún no se han buscado las concordancias de esta colección.",
    start: "Buscar concordancias",
    again: "Buscar de nuevo",
    goOn: "Empezar o continuar",
    by: "Umbral",
    probability: "probabilidad",
    score: "puntuación",
    leastProbability: "Al menos, en tanto por ciento",
    leastScore: "Al menos",
    leastNotes: "Notas que necesita una melodía",
    either: "también una melodía contenida en otra",
    begins: "El cálculo comienza.",
    running: (share, minutes) => `${number(share)} % hecho, quedan unos ${plural(minutes, "minuto", "minutos")}.`,
    cancel: "Cancelar",
    cancelled: "El cálculo se canceló. Con las mismas opciones continúa donde estaba.",
    done: (groups, melodies, compared) => `${plural(groups, "grupo", "grupos")} de ${plural(melodies, "melodía", "melodías")}; se compararon ${number(compared)}.`,
    tooShort: (n, least) => `${plural(n, "melodía", "melodías")} con menos de ${number(least)} notas ${form(n, "quedó", "quedaron")} fuera.`,
    ended: (time, pairs) => `Terminado ${time}; ${pairs} pares.`,
    failed: (what, hint) => `El cálculo falló: ${what}. ${hint}`,
  },
  files: "Exportar:",
  formats: { pairs: "pares (CSV)", groups: "grupos (CSV)", decisions: "decisiones (CSV)", json: "JSON", html: "página", turtle: "RDF", marcxml: "MARCXML" },
  filters: {
    title: "Filtros",
    libraries: "entre bibliotecas",
    centuries: "entre siglos",
    composers: "atribuidas a distintos compositores",
    undecided: "aún sin decidir",
    words: "Palabras",
  },
  groups: {
    title: "Grupos",
    count: (shown, all) => `${number(shown)} de ${plural(all, "grupo", "grupos")}`,
    legend: "Las melodías están en la tonalidad de la primera. Rojo, con un triángulo: otra altura. Azul, con un más: nota añadida; con un menos: nota que falta.",
    group: (n, size) => `Grupo ${number(n)}: ${plural(size, "melodía", "melodías")}`,
    pairs: (found, all, probability) => `${number(found)} de ${plural(all, "par", "pares")} encontrados${probability && `; probabilidad media ${probability}`}`,
    voice: (n) => `voz ${number(n)}`,
    centre: "Las demás están alineadas con esta melodía.",
    evidence: (partners, others, best, score, probability) => `Encontrada con ${number(partners)} de ${number(others)}; la más próxima ${best}: puntuación ${score}${probability && `, probabilidad ${probability}`}`,
    staff: (same, other, added, missing) => `${plural(same, "nota igual", "notas iguales")}, ${number(other)} de otra altura, ${number(added)} añadidas, ${number(missing)} que faltan`,
    pages: "Páginas de grupos",
    previous: "Página anterior",
    next: "Página siguiente",
    range: (first, last, all) => `${number(first)} a ${number(last)} de ${number(all)}`,
  },
  decide: {
    accepted: "Aceptada.",
    rejected: "Rechazada.",
    accept: "Aceptar",
    reject: "Rechazar",
    note: "Nota",
    noteFor: (name) => `Nota sobre ${name}`,
    saved: "Guardado.",
  },
};
