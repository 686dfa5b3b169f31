// Figures as a language writes them.

import { speechOf, type Language } from "../shared/language";

export interface Figures {
  /** Medians have halves, means and deviations two decimals. */
  figure: (value: number | null, digits?: number) => string;
  /** With so many decimals. */
  fixed: (value: number, digits: number) => string;
  /** As it was given. */
  plain: (value: number) => string;
  /** Never "0": a test says how small, not that it is nothing. */
  probability: (p: number | null, untested: string) => string;
}

export function figuresOf(language: Language): Figures {
  const point = speechOf(language).number(0.5, 1).charAt(1);
  const written = (digits: string) => digits.replace(".", point).replace("-", "−");
  return {
    figure: (value, digits = 2) => (value === null ? "–" : written(Number.isInteger(value) ? String(value) : value.toFixed(digits).replace(/0$/, ""))),
    fixed: (value, digits) => written(value.toFixed(digits)),
    plain: (value) => written(String(value)),
    probability: (p, untested) => (p === null ? untested : p < 0.0001 ? `p <${point}0001` : `p = ${written(p.toPrecision(p < 0.1 ? 2 : 3))}`),
  };
}
