// What can be undone while ranking: the rankings before the present one, and after it those that were undone.

import type { Ranking } from "./order";

export interface History {
  past: readonly Ranking[];
  future: readonly Ranking[];
}

export const kNoHistory: History = { past: [], future: [] };
const kMost = 500;

const same = (a: Ranking, b: Ranking): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A move was made from this ranking to that one. */
export function noted(history: History, from: Ranking, to: Ranking): History {
  return same(from, to) ? history : { past: [...history.past, from].slice(-kMost), future: [] };
}

/** One step back from the present ranking; nothing where there is none. */
export function undone(history: History, present: Ranking): { ranking: Ranking; history: History } | null {
  const ranking = history.past.at(-1);
  return ranking ? { ranking, history: { past: history.past.slice(0, -1), future: [present, ...history.future] } } : null;
}

/** One step forward again. */
export function redone(history: History, present: Ranking): { ranking: Ranking; history: History } | null {
  const [ranking, ...future] = history.future;
  return ranking ? { ranking, history: { past: [...history.past, present], future } } : null;
}
