// The run of concordances as an editor meets it.

import { ask, kRoot, send } from "../shared/http";

export interface Options {
  min_score?: number;
  min_probability?: number | null;
  either?: boolean;
  min_notes?: number;
}

export interface Run {
  state: "none" | "running" | "cancelled" | "loading" | "done" | "failed";
  options: Options | null;
  started?: string;
  ended?: string;
  progress: { done: number; total: number; pairs_per_second: number; seconds_left: number } | null;
  result: { compared: number; too_short: number; melodies: number; pairs: number; groups: number } | null;
  error?: { code: string; detail: string; hint: string };
}

export type Verdict = "accepted" | "rejected" | "open";

export interface Decision {
  decision: "accepted" | "rejected";
  note: string;
  decided: string;
}

export interface Member {
  id: string;
  voice: number;
  title: string;
  composer: string;
  library: string;
  shelfmark: string;
  year: string;
  uri: string;
  centre: boolean;
  partners: number;
  best: string;
  score: number;
  probability: number | null;
  /** SVG. */
  staff: string;
  notes: { same: number; other: number; added: number; missing: number };
  decision: Decision | null;
}

export interface Group {
  number: number;
  mean: number;
  probability: number | null;
  pairs: number;
  members: Member[];
}

export interface Groups {
  total: number;
  offset: number;
  groups: Group[];
}

export const kFilters = ["libraries", "centuries", "composers", "undecided"] as const;
export type Filter = (typeof kFilters)[number];

export interface Chosen {
  filters: ReadonlySet<Filter>;
  text: string;
  offset: number;
}

export const kPage = 10;
export const kFormats = ["pairs", "groups", "decisions", "json", "html", "turtle", "marcxml"] as const;
export type Format = (typeof kFormats)[number];

const fresh: RequestInit = { cache: "no-store" };
let csrf = "";

export const parametersOf = ({ filters, text, offset }: Chosen): URLSearchParams => {
  const result = new URLSearchParams();
  for (const name of kFilters) if (filters.has(name)) result.set(name, "1");
  if (text) result.set("text", text);
  if (offset > 0) result.set("offset", String(offset));
  return result;
};

/** Anything can stand in an address: what is not understood is left out. */
export const chosenIn = (address: string): Chosen => {
  const given = new URLSearchParams(address);
  const offset = Number(given.get("offset") ?? 0);
  return {
    filters: new Set(kFilters.filter((name) => given.get(name) === "1")),
    text: given.get("text") ?? "",
    offset: Number.isInteger(offset) && offset > 0 && offset < 1_000_000 ? offset : 0,
  };
};

export const api = {
  async me(): Promise<boolean> {
    const me = await ask<{ role: string; csrf?: string }>("/me", fresh);
    csrf = me.csrf ?? "";
    return me.role === "researcher";
  },
  async login(token: string): Promise<void> {
    csrf = (await send<{ csrf: string }>("POST", "/login", { token })).csrf;
  },
  run: (signal?: AbortSignal) => ask<Run>("/concordances", { ...fresh, signal: signal ?? null }),
  start: (options: Options) => send<Run>("POST", "/concordances", options, csrf),
  cancel: () => send<Run>("POST", "/concordances/cancel", {}, csrf),
  groups: (chosen: Chosen, signal?: AbortSignal) => ask<Groups>(`/concordances/groups?${parametersOf(chosen)}`, { ...fresh, signal: signal ?? null }),
  decide: (a: Member, b: Member, decision: Verdict, note: string) =>
    send<{ decision: Decision | null }>("PUT", "/concordances/decisions", { a: { id: a.id, voice: a.voice }, b: { id: b.id, voice: b.voice }, decision, note }, csrf),
  exportUrl: (format: Format): string => `${kRoot}/concordances/export?format=${format}`,
};
