// The words of the page in the language of whoever reads it.

import { speechOf } from "../shared/language";
import { language, spoken } from "../shared/spoken";
import { en } from "./words/en";

export { language };

export const t = await spoken(en, {
  de: async () => (await import("./words/de")).de,
  fr: async () => (await import("./words/fr")).fr,
  it: async () => (await import("./words/it")).it,
  es: async () => (await import("./words/es")).es,
});
export const speech = speechOf(language);
