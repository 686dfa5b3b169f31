// What every page says, in French.

import type { Common } from "../texts";

export const common: Common = {
  name: "Rondo",
  skipToMain: "Aller au contenu",
  theme: { label: "Thème", auto: "Automatique", light: "Clair", dark: "Sombre" },
  language: "Langue",
  play: { play: "Écouter", stop: "Arrêter", of: (what) => `Écouter ${what}`, stopOf: (what) => `Arrêter ${what}`, tempo: "Tempo", bpm: (n) => `♩ = ${n}` },
  copy: { copy: (what) => `Copier : ${what}`, copied: "Copié" },
  offline: "Le serveur ne répond pas. Est-il encore en marche ?",
  retry: "Réessayer",
};
