// From the steps of an alignment to columns of notes, one under the other.

import type { Note, Step } from "../api";

export type Kind = "same" | "changed" | "query" | "document";

export interface Column {
  /** Indices of notes; null is a gap. */
  query: number | null;
  document: number | null;
  kind: Kind;
}

const kContext = 3; // notes of the other melody shown before and after what was aligned

type Range = [number, number] | null;

/**
 * Steps may span several notes and overlap, as those of systems that compare windows do: every note stands in one column,
 * that of the first step which has it.
 */
export function columnsOf(steps: readonly Step[], queryLine: readonly number[], documentLine: readonly number[]): Column[] {
  const result: Column[] = [];
  let nextQuery = 0;
  let nextDocument = 0;
  const fresh = (range: Range, from: number): number[] => {
    if (!range) return [];
    const all: number[] = [];
    for (let i = Math.max(range[0], from); i < range[1]; ++i) all.push(i);
    return all;
  };
  for (const { kind, query, document } of steps) {
    const left = fresh(query, nextQuery);
    const right = fresh(document, nextDocument);
    nextQuery = Math.max(nextQuery, query?.[1] ?? 0);
    nextDocument = Math.max(nextDocument, document?.[1] ?? 0);
    const both = query && document ? Math.min(left.length, right.length) : 0;
    // Of windows the last notes belong together.
    left.forEach((one, i) => {
      const other = i >= left.length - both ? right[right.length - (left.length - i)] : undefined;
      result.push({ query: queryLine[one] ?? one, document: other === undefined ? null : (documentLine[other] ?? other), kind: other === undefined ? "query" : kind === "match" ? "same" : "changed" });
    });
    const alone = right.slice(0, right.length - both).map((one): Column => ({ query: null, document: documentLine[one] ?? one, kind: "document" }));
    result.splice(result.length - both, 0, ...alone);
  }
  return result;
}

/** Without what stands in the other melody alone, far before and after the match. */
export function aroundMatch(columns: readonly Column[]): Column[] {
  const aligned = (column: Column) => column.kind !== "document";
  const first = columns.findIndex(aligned);
  const last = columns.findLastIndex(aligned);
  return first < 0 ? [...columns] : columns.slice(Math.max(0, first - kContext), last + 1 + kContext);
}

/** Semitones from the query up to the other melody, as most of the notes that are the same have it. */
export function transposition(columns: readonly Column[], query: readonly Note[], document: readonly Note[]): number {
  const counts = new Map<number, number>();
  for (const column of columns) {
    if (column.query === null || column.document === null) continue;
    const by = (document[column.document]?.midi ?? 0) - (query[column.query]?.midi ?? 0);
    counts.set(by, (counts.get(by) ?? 0) + (column.kind === "same" ? 2 : 1));
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
