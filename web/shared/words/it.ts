// What every page says, in Italian.

import type { Common } from "../texts";

export const common: Common = {
  name: "Rondo",
  skipToMain: "Vai al contenuto",
  theme: { label: "Tema", auto: "Automatico", light: "Chiaro", dark: "Scuro" },
  language: "Lingua",
  play: { play: "Ascolta", stop: "Ferma", of: (what) => `Ascolta ${what}`, stopOf: (what) => `Ferma ${what}`, tempo: "Tempo", bpm: (n) => `♩ = ${n}` },
  copy: { copy: (what) => `Copia: ${what}`, copied: "Copiato" },
  offline: "Il server non risponde. È ancora in funzione?",
  retry: "Riprova",
};
