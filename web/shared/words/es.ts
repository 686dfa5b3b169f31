// What every page says, in Spanish.

import type { Common } from "../texts";

export const common: Common = {
  name: "Rondo",
  skipToMain: "Ir al contenido",
  theme: { label: "Tema", auto: "Automático", light: "Claro", dark: "Oscuro" },
  language: "Idioma",
  play: { play: "Escuchar", stop: "Detener", of: (what) => `Escuchar ${what}`, stopOf: (what) => `Detener ${what}`, tempo: "Tempo", bpm: (n) => `♩ = ${n}` },
  copy: { copy: (what) => `Copiar: ${what}`, copied: "Copiado" },
  offline: "El servidor no responde. ¿Sigue en marcha?",
  retry: "Reintentar",
};
