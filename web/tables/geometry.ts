// Where everything of a plot lies. Horizontal places are in pixels of the drawing, from a scale that all plots of a table
// share, so that boxes can be compared down the page.

import type { Candidate, Summary } from "./data";

export interface Scale {
  low: number;
  high: number;
  width: number;
}

export const kMargin = 8; // Dots and numbers at the ends need room.

export const x = ({ low, high, width }: Scale, value: number): number =>
  high > low ? kMargin + ((value - low) / (high - low)) * (width - 2 * kMargin) : width / 2;

const isNumber = (value: number | null | undefined): value is number => typeof value === "number" && Number.isFinite(value);

/** From the first rank to the last, and as far as the deviations go. `start` is where the numbers begin by nature. */
export function scaleFor(all: readonly Summary[], width: number, start = 1): Scale {
  let low = start;
  let high = start + 1;
  for (const { ranks, mean, deviation } of all) {
    for (const rank of ranks) if (isNumber(rank)) [low, high] = [Math.min(low, rank), Math.max(high, rank)];
    if (!isNumber(mean) || !isNumber(deviation)) continue;
    [low, high] = [Math.min(low, mean - deviation), Math.max(high, mean + deviation)];
  }
  return { low, high, width };
}

/** Round numbers, at most `most` of them, none before `start`. */
export function ticks({ low, high }: Scale, most = 9, start = 1): number[] {
  const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];
  const step = steps.find((one) => (high - low) / one + 1 <= most) ?? Math.ceil((high - low) / most);
  const first = Math.max(start, Math.ceil(low));
  const found = [first];
  for (let tick = Math.floor(first / step) * step + step; tick <= high; tick += step) found.push(tick);
  // Two numbers must not run into each other.
  if (found.length > 1 && step > 1 && (found[1] ?? 0) - first < step / 2) found.splice(1, 1);
  return found;
}

/** Every vote a dot; equal ones are piled around the middle, closer if there are many. */
export function dots(scale: Scale, values: readonly number[], middle: number, room: number, pitch: number): { x: number; y: number }[] {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  return sorted.map((value) => {
    const first = sorted.indexOf(value);
    return { value, first, count: sorted.lastIndexOf(value) - first + 1 };
  }).map(({ value, first, count }, i) => {
    const step = count > 1 ? Math.min(pitch, room / (count - 1)) : 0;
    return { x: x(scale, value), y: middle + (i - first - (count - 1) / 2) * step };
  });
}

export interface Square {
  x: number;
  size: number;
  /** Height of the dark part, which hangs from the top; nothing if there was no test. */
  dark: number | null;
}

const kLargest = 14;

/** One square for each candidate above, the first at the left. */
export function squares(p: readonly (number | null)[], width: number): Square[] {
  const size = p.length > 0 ? Math.min(kLargest, (width - 2 * kMargin) / p.length) : 0;
  return p.map((value, i) => ({ x: kMargin + i * size, size, dark: isNumber(value) ? size * Math.min(1, Math.max(0, value)) : null }));
}

const kBeyond = 3;

/** How many candidates are shown: a few beyond the last border, where the truth ends; all of them if there is none. */
export function shown(candidates: readonly Pick<Candidate, "border_above">[], complete: boolean): number {
  const last = candidates.findLastIndex((one) => one.border_above);
  return complete || last < 0 ? candidates.length : Math.min(candidates.length, last + kBeyond);
}

/** Between neighbours, as R does it by default (type 7). */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (at - Math.floor(at)) * (above - below);
}

export function summaryOf(values: readonly number[]): Summary {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  if (sorted.length === 0) return { ranks: [], median: null, mean: null, deviation: null, q1: null, q3: null, p10: null, p90: null };
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const squared = sorted.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const at = (share: number) => quantile(sorted, share);
  const deviation = sorted.length > 1 ? Math.sqrt(squared / (sorted.length - 1)) : null;
  return { ranks: sorted, median: at(0.5), mean, deviation, q1: at(0.25), q3: at(0.75), p10: at(0.1), p90: at(0.9) };
}
