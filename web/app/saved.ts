// What stays on this device: searches that were made, and a basket of melodies. Nothing of it is sent anywhere.

import { useEffect, useState } from "preact/hooks";
import type { Hit } from "./api";

export interface Visited {
  /** The address of the search, from the slash on. */
  address: string;
  what: string;
  /** Milliseconds since 1970. */
  time: number;
}

export type Kept = Pick<Hit, "id" | "title" | "composer" | "year" | "library" | "shelfmark" | "source" | "uri" | "pae">;

const kMostVisited = 50;
const kMostKept = 500;

/** A list in the browser's storage that tells everybody on the page when it changes. */
export class StoredList<Item> {
  private items: Item[] | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly key: string,
    private readonly good: (item: unknown) => item is Item,
  ) {}

  read(): readonly Item[] {
    if (this.items) return this.items;
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      this.items = Array.isArray(stored) ? stored.filter(this.good) : [];
    } catch {
      this.items = []; // Forbidden, or not ours.
    }
    return this.items;
  }

  write(items: readonly Item[]): void {
    this.items = [...items];
    try {
      localStorage.setItem(this.key, JSON.stringify(items));
    } catch {
      // Kept as long as the page is open.
    }
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const isObject = (item: unknown): item is Record<string, unknown> => typeof item === "object" && item !== null;

export const visited = new StoredList<Visited>(
  "rondo-history",
  (item): item is Visited => isObject(item) && typeof item.address === "string" && item.address.startsWith("/?") && typeof item.what === "string" && typeof item.time === "number",
);
export const basket = new StoredList<Kept>("rondo-basket", (item): item is Kept => isObject(item) && typeof item.id === "string");

export function useStored<Item>(list: StoredList<Item>): readonly Item[] {
  const [items, setItems] = useState(list.read());
  useEffect(() => list.onChange(() => setItems(list.read())), [list]);
  return items;
}

/** The newest first, each search once. */
export const withVisit = (all: readonly Visited[], visit: Visited): Visited[] => [visit, ...all.filter(({ address }) => address !== visit.address)].slice(0, kMostVisited);

export const withKept = (all: readonly Kept[], hit: Kept): Kept[] => {
  const { id, title, composer, year, library, shelfmark, source, uri, pae } = hit;
  const kept = Object.fromEntries(Object.entries({ id, title, composer, year, library, shelfmark, source, uri, pae }).filter(([, value]) => value)) as unknown as Kept;
  return all.some((one) => one.id === id) ? [...all] : [...all, kept].slice(-kMostKept);
};

export const withoutKept = (all: readonly Kept[], id: string): Kept[] => all.filter((one) => one.id !== id);
