// Decisions on candidates, and the way back.

import type { Pick, ProposedCandidate } from "./api";

export type Filter = "all" | Pick;

export interface Decision {
  pick: Pick;
  ids: string[];
}

/** What brings things back to how they were before a decision: one decision for each way they were. */
export function inverse(candidates: readonly ProposedCandidate[], ids: readonly string[]): Decision[] {
  const back = new Map<Pick, string[]>();
  for (const { id, pick } of candidates) {
    if (!ids.includes(id)) continue;
    back.set(pick, [...(back.get(pick) ?? []), id]);
  }
  return [...back].map(([pick, list]) => ({ pick, ids: list }));
}

export const decided = (candidates: readonly ProposedCandidate[], { pick, ids }: Decision): ProposedCandidate[] => {
  const changed = new Set(ids);
  return candidates.map((one) => (changed.has(one.id) ? { ...one, pick } : one));
};

export function countsOf(candidates: readonly ProposedCandidate[]): Record<Pick, number> {
  const counts: Record<Pick, number> = { keep: 0, drop: 0, undecided: 0 };
  for (const { pick } of candidates) counts[pick]++;
  return counts;
}
