// The server as the researcher meets it.

import { ask, kRoot, send } from "../shared/http";
import type { TimedNote } from "../shared/playback/schedule";
import type { Rule, Truth } from "../tables/data";

export type StudyState = "draft" | "open" | "closed";

export interface StudyRow {
  name: string;
  title: string;
  state: StudyState;
  queries: number;
  participants: number;
  finished: number;
  votes: number;
  simulated: boolean;
}

export type Pick = "keep" | "drop" | "undecided";

export interface CandidateSet {
  name: string;
  query: string;
  /** That a study of it will show: all but the dropped. */
  candidates: number;
  keep?: number;
  drop?: number;
  undecided?: number;
}

export interface ProposedMelody {
  id: string;
  /** The collection no longer has it. */
  missing?: boolean;
  title?: string;
  composer?: string;
  pae?: string;
  mei?: string | null;
  notes?: TimedNote[];
}

export interface ProposedCandidate extends ProposedMelody {
  /** Who proposed it; a system with the rank at which it found it. */
  found: { by: string; rank?: number }[];
  folded: { id: string; relation: string }[];
  pick: Pick;
}

export interface CandidateSetView {
  name: string;
  made: string;
  query: ProposedMelody | null;
  funnel: { total: number; steps: { step: string; before: number; excluded: number; percent: number; left: number }[] };
  total: number;
  candidates: ProposedCandidate[];
}

/** Which votes a truth is made of. */
export interface VoteChoice {
  unfinished: boolean;
  minimum: number;
}

export interface Participant {
  number: number;
  label: string;
  joined: string | null;
  last_seen: string | null;
  consented: boolean;
  finished: boolean;
  /** Per query. */
  ranked: number[];
  done: boolean[];
  /** Why the answers do not count; empty where they do. */
  excluded?: string;
  care?: { planted: number; misplaced: number; unchanged: number; saves: number; seconds: number | null };
}

export interface Settings {
  title: string;
  instructions: string;
  consent: string;
  ties: boolean;
  plant_query: boolean;
}

export interface Study extends Settings {
  name: string;
  state: StudyState;
  queries: { number: number; label: string; candidates: number }[];
  participants: Participant[];
  open_link: boolean;
  withdrawn?: number;
  simulated: boolean;
}

/** What is left of a participant who withdrew. */
export interface Receipt {
  study: string;
  at: string;
  answers: number;
  moves: number;
}

export interface Invitation {
  number: number;
  label: string;
  code: string;
  path: string;
}

export interface AuditEntry {
  at: string | number;
  who: string;
  what: string;
  detail: unknown;
}

export interface Whoami {
  role: "researcher" | "participant" | "visitor";
  csrf?: string;
}

const fresh: RequestInit = { cache: "no-store" };
const place = (name: string, rest = ""): string => `/studies/${encodeURIComponent(name)}${rest}`;

let csrf = "";

export const api = {
  async me(): Promise<Whoami> {
    const me = await ask<Whoami>("/me", fresh);
    csrf = me.csrf ?? "";
    return me;
  },
  async login(token: string): Promise<void> {
    csrf = (await send<{ csrf: string }>("POST", "/login", { token })).csrf;
  },
  logout: () => send<unknown>("POST", "/logout", {}, csrf),
  /** A whole set, however many pages it has. */
  async candidates(name: string, signal?: AbortSignal): Promise<CandidateSetView> {
    const page = (offset: number) => ask<CandidateSetView>(`/candidates/${encodeURIComponent(name)}?${new URLSearchParams({ offset: String(offset) })}`, { ...fresh, signal: signal ?? null });
    const whole = await page(0);
    while (whole.candidates.length < whole.total) {
      const { candidates } = await page(whole.candidates.length);
      if (candidates.length === 0) break;
      whole.candidates.push(...candidates);
    }
    return whole;
  },
  pick: (name: string, ids: readonly string[], pick: Pick) => send<unknown>("PUT", `/candidates/${encodeURIComponent(name)}/picks`, { ids, pick }, csrf),
  studies: () => ask<{ studies: StudyRow[]; candidate_sets: CandidateSet[] }>("/studies", fresh),
  create: (study: Settings & { name: string; candidate_sets: string[] }) => send<Study>("POST", "/studies", study, csrf),
  study: (name: string) => ask<Study>(place(name), fresh),
  change: (name: string, change: Partial<Settings> & { state?: StudyState }) => send<Study>("PATCH", place(name), change, csrf),
  invite: (name: string, whom: { labels: string[] } | { count: number } | { again: number[] }) => send<{ invitations: Invitation[] }>("POST", place(name, "/invitations"), whom, csrf),
  leaveOut: (name: string, participant: number, reason: string) => send<Study>("POST", place(name, "/left-out"), { participant, reason }, csrf),
  withdraw: (name: string, participant: number) => send<Receipt>("POST", place(name, "/withdrawals"), { participant }, csrf),
  openLink: (name: string, enabled: boolean) => send<{ path?: string }>("POST", place(name, "/open-link"), { enabled }, csrf),
  /** Votes of people who ranked elsewhere, as a table. */
  importVotes: (name: string, csv: string) =>
    ask<{ participants: number; votes: number }>(`/studies/import?${new URLSearchParams({ study: name })}`, { method: "POST", body: csv, headers: { "Content-Type": "text/csv", "X-Rondo-Csrf": csrf } }),
  truth: (name: string, rule: Rule, threshold: number, votes: VoteChoice, signal?: AbortSignal) =>
    ask<Truth>(place(name, `/truth?${new URLSearchParams({ rule, threshold: String(threshold), unfinished: votes.unfinished ? "1" : "0", min_votes: String(votes.minimum) })}`), { ...fresh, signal: signal ?? null }),
  audit: (name: string) => ask<{ audit?: AuditEntry[]; entries?: AuditEntry[] } | AuditEntry[]>(place(name, "/audit"), fresh),
  download: (name: string, what: string): string => kRoot + place(name, what),
};
