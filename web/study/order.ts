// A ranking is a row of groups, best first; a group of several is a tie. Everything else is unranked. These functions
// make a new ranking of an old one and never fail: a move that cannot be made gives the ranking as it was.

export type Ranking = readonly (readonly string[])[];

/** Where a candidate goes: as a group of its own before this group (or after the last), into a group, or out. */
export type Goal = { kind: "before" | "with"; group: number } | { kind: "out" };

export type Move = "up" | "down" | "top" | "out" | "tie";

export const groupOf = (ranking: Ranking, code: string): number => ranking.findIndex((group) => group.includes(code));

export const countOf = (ranking: Ranking): number => ranking.reduce((sum, group) => sum + group.length, 0);

/** Ranks as in a race: 1, 2, 2, 4. */
export const rankOf = (ranking: Ranking, group: number): number => 1 + countOf(ranking.slice(0, group));

/** The goal counts groups as they are before the candidate is lifted out. */
export function put(ranking: Ranking, code: string, goal: Goal): Ranking {
  const groups: (readonly string[])[] = ranking.map((group) => group.filter((one) => one !== code));
  if (goal.kind === "before") groups.splice(goal.group, 0, [code]);
  if (goal.kind === "with") {
    const group = groups[goal.group];
    if (!group) return ranking;
    // Back into its own group it keeps its place there.
    groups[goal.group] = ranking[goal.group]?.includes(code) ? (ranking[goal.group] ?? []) : [...group, code];
  }
  return groups.filter((group) => group.length > 0);
}

/** Joins the group of this candidate with the one above; or, of a tie, parts what is above the candidate from the rest. */
function tie(ranking: Ranking, code: string): Ranking {
  const at = groupOf(ranking, code);
  const group = ranking[at];
  if (!group) return ranking;
  const within = group.indexOf(code);
  if (within > 0) return [...ranking.slice(0, at), group.slice(0, within), group.slice(within), ...ranking.slice(at + 1)];
  const above = ranking[at - 1];
  return above ? [...ranking.slice(0, at - 1), [...above, ...group], ...ranking.slice(at + 1)] : ranking;
}

export function moved(ranking: Ranking, code: string, move: Move): Ranking {
  const at = groupOf(ranking, code);
  const tied = (ranking[at]?.length ?? 0) > 1;
  const last = ranking.length - 1;
  switch (move) {
    case "top":
      return put(ranking, code, { kind: "before", group: 0 });
    case "out":
      return put(ranking, code, { kind: "out" });
    case "tie":
      return tie(ranking, code);
    case "up":
      if (at < 0) return put(ranking, code, { kind: "before", group: ranking.length });
      return at === 0 && !tied ? ranking : put(ranking, code, { kind: "before", group: tied ? at : at - 1 });
    case "down":
      if (at < 0) return ranking;
      if (tied) return put(ranking, code, { kind: "before", group: at + 1 });
      return at === last ? put(ranking, code, { kind: "out" }) : put(ranking, code, { kind: "before", group: at + 2 });
  }
}

/** A card of the ranked list as it lies on the screen. */
export interface Card {
  group: number;
  /** First and last of its group. */
  first: boolean;
  last: boolean;
  top: number;
  bottom: number;
}

/**
 * What letting go at height `y` means. `line` divides ranked from unranked. With ties the middle third of a card means
 * "the same as this one".
 */
export function goalAt(cards: readonly Card[], y: number, line: number, ties: boolean): Goal {
  if (y > line) return { kind: "out" };
  for (const { group, first, last, top, bottom } of cards) {
    if (y > bottom) continue;
    const part = bottom > top ? (y - top) / (bottom - top) : 0;
    if (part < (ties ? 1 / 3 : 1 / 2)) return { kind: first ? "before" : "with", group };
    if (ties && part <= 2 / 3) return { kind: "with", group };
    return last ? { kind: "before", group: group + 1 } : { kind: "with", group };
  }
  const end = cards.at(-1);
  return { kind: "before", group: end ? end.group + 1 : 0 };
}

/** What the server says, without candidates it did not name and without doubles. */
export function cleaned(ranking: Ranking, codes: readonly string[]): Ranking {
  const left = new Set(codes);
  return ranking.map((group) => group.filter((code) => left.delete(code))).filter((group) => group.length > 0);
}

export const same = (a: Ranking, b: Ranking): boolean =>
  a.length === b.length && a.every((group, i) => [...group].sort().join() === [...(b[i] ?? [])].sort().join());
