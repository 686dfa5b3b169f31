// What is not yet known to have reached the server, kept in the browser: through a reload, a crash, a lost connection.
// Every tab writes under a key of its own, so that two never write over each other; who comes later finds what was left.

import type { Ranking } from "./order";

export interface Answer {
  ranking: Ranking;
  done: boolean;
}

/** An answer on its way. Once sent it never changes, as the server may have it although nothing came back. */
export interface Save extends Answer {
  save: string;
  /** The version it was made from. */
  version: number;
}

export interface Kept {
  pending: Save;
  /** What was done since; only the latest counts. */
  next: Answer | null;
}

export type Box = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const kMark = "rondo-study";

export const keyOf = (...parts: string[]): string => [kMark, ...parts.map(encodeURIComponent)].join("/");

function keysOf(box: Box, prefix: string): string[] {
  return Array.from({ length: box.length }, (_, i) => box.key(i) ?? "").filter((key) => key.startsWith(`${prefix}/`));
}

const isKept = (value: unknown): value is Kept => {
  const pending = (value as Kept | null)?.pending;
  return typeof pending?.save === "string" && typeof pending.version === "number" && Array.isArray(pending.ranking);
};

export class Store {
  constructor(
    private readonly box: Box | null,
    private readonly tab: string,
  ) {}

  /** False if the browser keeps nothing: then closing the page too early would lose something. */
  get works(): boolean {
    return this.box !== null;
  }

  /** Writes what this tab has to keep of a query; nothing at all removes the entry. */
  keep(query: string, kept: readonly Kept[]): void {
    const key = `${query}/${this.tab}`;
    try {
      if (kept.length === 0) this.box?.removeItem(key);
      else this.box?.setItem(key, JSON.stringify({ at: Date.now(), kept }));
    } catch {
      // Full or forbidden: it is still in memory and on its way.
    }
  }

  /** What any tab left of a query, oldest first. It is this tab's from now on. */
  adopt(query: string): Kept[] {
    if (!this.box) return [];
    const found: { at: number; kept: Kept[] }[] = [];
    const keys = keysOf(this.box, query);
    for (const key of keys) {
      try {
        const { at, kept } = JSON.parse(this.box.getItem(key) ?? "");
        if (Array.isArray(kept)) found.push({ at: Number(at) || 0, kept: kept.filter(isKept) });
      } catch {
        // Not ours, or broken: nothing that could be sent.
      }
    }
    const all = found.sort((a, b) => a.at - b.at).flatMap(({ kept }) => kept);
    this.keep(query, all);
    for (const key of keys) if (key !== `${query}/${this.tab}`) this.box.removeItem(key);
    return all;
  }

  /** The numbers of the queries of which something is kept. */
  queries(participant: string): number[] {
    if (!this.box) return [];
    const numbers = keysOf(this.box, participant).map((key) => Number(key.slice(participant.length + 1).split("/")[0]));
    return [...new Set(numbers)].filter(Number.isInteger);
  }
}

/** The browser's storage, if it has one that works. */
export function browserBox(): Box | null {
  try {
    localStorage.setItem(kMark, "1");
    localStorage.removeItem(kMark);
    return localStorage;
  } catch {
    return null;
  }
}

/** Letters nobody else will have thought of. Not randomUUID, which a page without https does not have. */
export const randomWord = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
