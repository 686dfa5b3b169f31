// What every page says, in German.

import type { Common } from "../texts";

export const common: Common = {
  name: "Rondo",
  skipToMain: "Zum Inhalt springen",
  theme: { label: "Farbschema", auto: "Automatisch", light: "Hell", dark: "Dunkel" },
  language: "Sprache",
  play: { play: "Abspielen", stop: "Anhalten", of: (what) => `${what} abspielen`, stopOf: (what) => `${what} anhalten`, tempo: "Tempo", bpm: (n) => `♩ = ${n}` },
  copy: { copy: (what) => `${what} kopieren`, copied: "Kopiert" },
  offline: "Der Server antwortet nicht. Läuft er noch?",
  retry: "Noch einmal versuchen",
};
