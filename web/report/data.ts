// What `evaluation_data` in src/report/evaluation.cpp writes into the page.

export type Point = [number, number];
export type Value = number | null;

export interface Measure {
  name: string;
  definition: string;
  reference: string;
  low: Value;
  high: Value;
  higher_is_better: boolean;
}

export interface Answer {
  retrieved: number;
  relevant: number;
  found: number;
  missing?: boolean;
  documents?: string[];
  /** From 1; 0 judged not relevant, -1 not judged. */
  groups?: number[];
  scores?: Value[];
}

export interface System {
  name: string;
  file: string;
  missing: string[];
  unknown: string[];
  means: Value[];
  /** values[measure][query] */
  values: Value[][];
  answers: Answer[];
}

export interface Test {
  statistic: Value;
  p: number;
  alternative: string;
  method: string;
}

export interface SystemTest {
  better: string;
  other: string;
  difference: number;
  mark: string;
  mann_whitney_mark: string;
  nemenyi: number;
  mann_whitney: Test;
  signed_rank: Test;
  signed_rank_holm: number;
  randomization: Test;
  randomization_holm: number;
}

export interface ComparedSystem {
  name: string;
  /** One character per query: "1" where it holds. */
  best_of_query: string;
  best_of_system: string;
  mean: number;
  interval: [number, number];
  level: number;
}

export interface Comparison {
  measure: string;
  undefined?: boolean;
  higher_is_better: boolean;
  baseline: string;
  mean_of_best: number;
  systems: ComparedSystem[];
  tests: SystemTest[];
  friedman?: { statistic: number; degrees: number; p: number; mean_ranks: number[] };
}

export interface Curve {
  name: string;
  title: string;
  x: string;
  y: string;
  undefined?: string;
  systems?: { mean: Point[]; queries: Point[][] }[];
}

export interface Report {
  title: string;
  provenance: { command: string; created: string; rondo: string; compiler: string };
  truth: {
    file: string;
    complete: boolean;
    query_excluded: boolean;
    collection_size: number;
    groups: { size: number; documents: string[] }[][];
  };
  measures: Measure[];
  queries: string[];
  systems: System[];
  comparisons: Comparison[];
  curves: Curve[];
  /** What is shown of single queries: how many queries, documents of an answer, queries with curves. */
  details: { queries: number; documents: number; lines: number };
  warnings: { code: string; text: string }[];
}

export function readReport(): { report: Report; text: string } {
  const text = document.getElementById("data")?.textContent ?? "";
  return { report: JSON.parse(text) as Report, text };
}
