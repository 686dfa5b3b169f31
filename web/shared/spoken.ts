// The words of a page in the language of whoever reads it. Only that language is fetched; English is always there.

import { pageLanguage, type Language } from "./language";
import { speakCommon, type Common } from "./texts";

export const language = pageLanguage();

/** Words that a language lacks the file for are said in English. */
export async function spoken<Words extends { common: Common }>(
  english: Words,
  others: Record<Exclude<Language, "en">, () => Promise<Words>>,
): Promise<Words["common"] & Words> {
  const words = language === "en" ? english : await others[language]().catch(() => english);
  speakCommon(words.common);
  return { ...words.common, ...words };
}
