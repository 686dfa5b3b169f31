// Which language the page speaks, and how that language writes numbers and plurals.

export const kLanguages = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano", es: "Español" } as const;
export type Language = keyof typeof kLanguages;

const kStored = "rondo-language";
const kLocales: Record<Language, string> = { en: "en-GB", de: "de", fr: "fr", it: "it", es: "es" };

const known = (tag: string | null | undefined): Language | undefined => {
  const name = tag?.toLowerCase().split(/[-_]/)[0] ?? "";
  return name in kLanguages ? (name as Language) : undefined;
};

/** What was chosen on this device, else the first language of the browser that is known here, else English. */
export const chooseLanguage = (stored: string | null, wanted: readonly string[]): Language =>
  known(stored) ?? wanted.map(known).find((one) => one !== undefined) ?? "en";

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(kStored);
  } catch {
    return null; // A browser may forbid storage.
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(kStored, language);
  } catch {
    // Not remembered then.
  }
}

export const pageLanguage = (): Language => chooseLanguage(storedLanguage(), typeof navigator === "undefined" ? [] : navigator.languages);

export interface Speech {
  number: (value: number, digits?: number) => string;
  /** The number and the form of the word that goes with it; `many` where a language has one for millions. */
  plural: (n: number, one: string, other: string, many?: string) => string;
  /** The form alone. */
  form: (n: number, one: string, other: string) => string;
  list: (items: readonly string[]) => string;
  /** A share, never said to be certain or impossible. */
  percent: (share: number) => string;
}

export function speechOf(language: Language): Speech {
  const locale = kLocales[language];
  const rules = new Intl.PluralRules(locale);
  const formats = new Map<number, Intl.NumberFormat>();
  const number = (value: number, digits = 0): string => {
    const format = formats.get(digits) ?? new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
    return format.format(value);
  };
  const form = (n: number, one: string, other: string): string => (rules.select(n) === "one" ? one : other);
  const shares = new Intl.NumberFormat(locale, { style: "percent" });
  const joined = new Intl.ListFormat(locale, { type: "conjunction" });
  return {
    number,
    form,
    plural: (n, one, other, many = other) => `${number(n)} ${rules.select(n) === "many" ? many : form(n, one, other)}`,
    list: (items) => joined.format(items),
    percent: (share) => shares.format(Math.min(0.99, Math.max(0.01, share))),
  };
}
