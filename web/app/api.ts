// The HTTP API as this page uses it: its types, and one function per question.

import { ask, kRoot, send } from "../shared/http";
import type { TimedNote } from "../shared/playback/schedule";
import { isLong, searchParameters, type Facet, type State } from "./state";

export interface Note extends TimedNote {
  name?: string;
}

export interface Query {
  pae: string;
  clef?: string;
  key?: string;
  time?: string;
  notes: Note[];
  format?: string;
  mei?: string | null;
  voices?: { pae: string; name?: string }[];
  /** What the text was understood to be. */
  read?: { kind: string; because?: string; unknown?: { before: number; notes: number; more: boolean }[] } | null;
  /** The text of a link that was followed. */
  text?: string;
  /** What was odd but could be read, each with its place. */
  warnings?: { code: string; message: string; column?: number }[];
}

/** A file that was read: one of its pieces, and which voice of that is the melody. */
export interface Upload extends Query {
  pieces?: string[];
  voice?: number;
}

export interface Parameter {
  name: string;
  explanation: string;
  standard: number;
  lowest: number;
  highest: number;
}

export interface System {
  name: string;
  /** Taken where none is named. */
  default?: boolean;
  title: string;
  explanation: string;
  reference: string;
  evidence: string;
  evidence_note?: string;
  published_adr?: number | null;
  invariant: { transposition: boolean; octave: boolean; tempo: boolean };
  shortest: number;
  polyphonic: boolean;
  parameters: Parameter[];
}

export interface Hit {
  rank: number;
  id: string;
  /** Null where only words were looked for. */
  score: number | null;
  /** That it is the same tune, and that in a word; where the system is calibrated. */
  probability?: number | null;
  likelihood?: "certain" | "probable" | "possible" | "unlikely" | null;
  voice?: number;
  title?: string;
  composer?: string;
  source?: string;
  library?: string;
  shelfmark?: string;
  uri?: string;
  year?: string | number | null;
  pae?: string;
  mei?: string | null;
  notes?: Note[];
  matched?: { query: number[]; document: number[] };
  duplicates?: string[];
}

export interface Found {
  query?: { pae?: string; notes?: Note[]; link?: string | null; read?: Query["read"] };
  /** Null: only words were looked for. */
  system: string | null;
  milliseconds: number;
  compared: number;
  not_reached: number;
  too_short: number;
  filtered_out: number;
  complete: boolean;
  total: number;
  hits: Hit[];
  /** Hits that resemble the query more than melodies do by chance; `more`: there may be more of them. */
  relevant?: { count: number; more: boolean } | null;
  facets?: Partial<Record<Facet, { value: string; count: number }[]>>;
}

export interface Voice {
  pae?: string;
  mei?: string | null;
  notes?: Note[];
  name?: string;
}

export interface Melody extends Omit<Hit, "rank" | "score"> {
  voices?: Voice[];
  fields?: { name: string; value: string }[];
  [name: string]: unknown;
}

export interface Step {
  kind: string;
  query: [number, number] | null;
  document: [number, number] | null;
  score: number;
}

export interface Alignment {
  system: string;
  score: number;
  steps: Step[];
  summary: string;
  /** For each note that was compared, the notes of the melody that it stands for. */
  query?: { line?: number[][] };
  document?: { line?: number[][] };
}

export interface Features {
  notes: number;
  lowest: number;
  highest: number;
  range: number;
  range_steps?: number;
  duration_ratio?: number;
  max_interval?: number;
  contour?: string;
  rhythm?: string;
  chromatic?: number[];
  histogram?: { chromatic?: { interval: number; count: number; share: number }[] };
  motives?: { steps: number[]; count: number }[];
}

export interface Funnel {
  total: number;
  left: number;
  steps: { step: string; before: number; excluded: number; percent: number; left: number }[];
}

export interface Collection {
  name: string;
  pieces: number;
  voices: number;
  notes: number;
  version?: string;
}

export const defaultSystem = (systems: System[]): System | undefined => systems.find((one) => one.default) ?? systems[0];

const words = (values: Record<string, string>): string => new URLSearchParams(values).toString();

export const api = {
  collection: () => ask<Collection>("/collection"),
  systems: async () => {
    const { systems } = await ask<{ systems: System[] }>("/systems");
    return systems.map((one) => ({ ...one, parameters: one.parameters ?? [] }));
  },
  /** Whether an editor has had the concordances of the collection looked for. */
  hasConcordances: async () => ["done", "loading"].includes((await ask<{ state: string }>("/concordances")).state),
  /** What this server can do: its addresses, and the arguments of a search. */
  offers: async () => {
    const { paths = {} } = await ask<{ paths?: Record<string, { get?: { parameters?: { name?: string }[] } }> }>("/openapi.json");
    const asked = paths[`${kRoot}/search`]?.get?.parameters ?? [];
    return { paths: Object.keys(paths), sort: asked.some(({ name }) => name === "sort") };
  },
  query: (q: string, signal?: AbortSignal) =>
    isLong(q)
      ? ask<Query>("/query", { method: "POST", body: new Blob([q]), signal: signal ?? null })
      : ask<Query>(`/query?${words({ q })}`, { signal: signal ?? null }),
  /** What a link stands for. */
  linked: (m: string, signal?: AbortSignal) => ask<Query>(`/query?${words({ m })}`, { signal: signal ?? null }),
  upload: (file: Blob, piece: number) => ask<Upload>(`/query?${words({ piece: String(piece) })}`, { method: "POST", body: file }),
  search: (state: State, signal?: AbortSignal) => {
    const asked = searchParameters(state);
    if (state.id || state.m || !isLong(state.q)) return ask<Found>(`/search?${asked}`, { signal: signal ?? null });
    return send<Found>("POST", `/search?${asked}`, { q: state.q }, "", { signal: signal ?? null });
  },
  melody: (id: string, signal?: AbortSignal) =>
    ask<Melody>(`/melodies/${encodeURIComponent(id)}`, { signal: signal ?? null }),
  features: (id: string) =>
    ask<Features | { voices: Features[] }>(`/melodies/${encodeURIComponent(id)}/features`),
  align: (by: { q?: string; m?: string; id?: string }, other: string, system: string) =>
    ask<Alignment>(`/compare?${words({ ...by, with: other, ...(system && { system }) })}`),
  funnel: (steps: string) => ask<Funnel>(`/funnel?${words({ steps })}`),
};

export const downloadUrl = (id: string, kind: string): string => `${kRoot}/melodies/${encodeURIComponent(id)}.${kind}`;

/** This page of the list. */
export const listUrl = (state: State, format: "csv" | "json" | "trec"): string => {
  const asked = searchParameters(state);
  asked.set("format", format);
  return `${kRoot}/search?${asked}`;
};

/** The whole list, streamed. */
export const exportUrl = (state: State, format: "csv" | "jsonl" | "trec"): string => {
  const asked = searchParameters({ ...state, offset: 0, k: 20 });
  asked.set("format", format);
  return `${kRoot}/export?${asked}`;
};
