// The words of the page in the language of whoever reads it.

import { pageLanguage, type Language } from "../shared/language";
import { speakCommon } from "../shared/texts";
import { en, type Words } from "./words/en";

/** Only the language that is spoken is fetched; English is always there. */
const kOthers: Record<Exclude<Language, "en">, () => Promise<Words>> = {
  de: async () => (await import("./words/de")).de,
  fr: async () => (await import("./words/fr")).fr,
  it: async () => (await import("./words/it")).it,
  es: async () => (await import("./words/es")).es,
};

export const language = pageLanguage();

const words = language === "en" ? en : await kOthers[language]().catch(() => en);
speakCommon(words.common);

export const t = { ...words.common, ...words };
