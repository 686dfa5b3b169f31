// A truth as the server and the command line give it: `GET /api/v1/studies/{name}/truth`, and the data within the file.

import type { TimedNote } from "../shared/playback/schedule";

export type Rule = "paper" | "all" | "any" | "previous";

/** What a box-and-whisker plot shows; nothing where there are no votes. */
export interface Summary {
  ranks: number[];
  median: number | null;
  mean: number | null;
  deviation: number | null;
  q1: number | null;
  q3: number | null;
  p10: number | null;
  p90: number | null;
}

export interface Described {
  id: string;
  title?: string;
  composer?: string;
  /** Library and shelfmark. */
  shelfmark?: string;
  /** The same as earlier versions named it. */
  signature?: string;
  mei?: string | null;
  notes?: TimedNote[];
}

export interface Candidate extends Described, Summary {
  votes: number;
  /** From 1; 0: not in the truth. */
  group: number;
  border_above: boolean;
  /** Against each candidate above, in order. */
  p: (number | null)[];
  /** The query itself, put among the candidates as a check of care. */
  planted?: boolean;
  folded?: { id: string; relation: string }[];
}

export interface Query extends Described {
  number: number;
  label: string;
  /** Participants who answered. */
  votes: number;
  consistency: { contradicting: number; pairs: number; share: number | null };
  agreement: { kendall_w: number | null; mean_tau: number | null; raters: number };
  candidates: Candidate[];
}

export interface Truth {
  /** The study's name. */
  study?: string;
  title?: string;
  rule: Rule;
  threshold: number;
  /** Which votes count. */
  votes?: { unfinished: boolean; minimum: number; left_out: { number: number; reason: string }[]; withdrawn: number };
  simulated: boolean;
  /** Every candidate from the beginning, not only those a little beyond the last border. */
  complete?: boolean;
  queries: Query[];
  experience?: { years: number[]; instruments: { name: string; count: number }[] };
}

export const shelfmarkOf = ({ shelfmark, signature }: Described): string => shelfmark ?? signature ?? "";
export const groupsOf = ({ candidates }: Query): number => Math.max(0, ...candidates.map(({ group }) => group));
export const bordersOf = ({ candidates }: Query): string[] => candidates.filter((one) => one.border_above).map(({ id }) => id);
