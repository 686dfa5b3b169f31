import { describe, expect, it } from "vitest";
import { aroundMatch, columnsOf, transposition, type Column } from "../app/align/columns";
import { twoStaves } from "../app/align/staves";
import type { Step } from "../app/api";
import { fromMeasureOf } from "../shared/engrave/cut";

const step = (kind: string, query: [number, number] | null, document: [number, number] | null): Step => ({ kind, query, document, score: 0 });
const line = Array.from({ length: 20 }, (_, i) => i);
const short = (columns: readonly Column[]) => columns.map(({ query, document, kind }) => `${query ?? "-"}:${document ?? "-"} ${kind}`);

describe("columns", () => {
  it("follow steps of single notes", () => {
    const steps = [step("gap_in_query", null, [0, 2]), step("match", [0, 1], [2, 3]), step("mismatch", [1, 2], [3, 4]), step("gap_in_document", [2, 3], null)];
    expect(short(columnsOf(steps, line, line))).toEqual(["-:0 document", "-:1 document", "0:2 same", "1:3 changed", "2:- query"]);
  });
  it("have every note once where windows overlap", () => {
    const steps = [step("match", [0, 3], [4, 7]), step("match", [1, 4], [5, 8]), step("gap_in_query", null, [6, 9]), step("match", [2, 5], [7, 10])];
    expect(short(columnsOf(steps, line, line))).toEqual(["0:4 same", "1:5 same", "2:6 same", "3:7 same", "-:8 document", "4:9 same"]);
  });
  it("name notes of the melody where the system left some out", () => {
    expect(short(columnsOf([step("match", [0, 1], [1, 2])], [2, 3], [0, 5]))).toEqual(["2:5 same"]);
  });
  it("show a few notes around the match, not the whole song", () => {
    const steps = [step("gap_in_query", null, [0, 8]), step("match", [0, 1], [8, 9]), step("gap_in_query", null, [9, 20])];
    expect(short(aroundMatch(columnsOf(steps, line, line)))).toEqual(["-:5 document", "-:6 document", "-:7 document", "0:8 same", "-:9 document", "-:10 document", "-:11 document"]);
  });
});

const notes = (...midi: number[]) => midi.map((one, i) => ({ midi: one, onset: i / 4, duration: i === 1 ? 0.5 : 0.25 }));
const meiOf = (...dur: string[]) => dur.map((one, i) => `<note xml:id="n${i}" dur="${one}" pname="c" oct="4" />`).join("");

describe("two staves", () => {
  const columns = columnsOf([step("match", [0, 1], [0, 1]), step("gap_in_query", null, [1, 2]), step("mismatch", [1, 2], [2, 3])], line, line);
  const query = { mei: meiOf("4", "8"), notes: notes(60, 62) };
  const document = { mei: meiOf("2", "4", "16"), notes: notes(67, 68, 70) };
  it("are moved to one pitch", () => {
    expect(transposition(columns, query.notes, document.notes)).toBe(7);
  });
  it("have a measure for each column, a space for a gap and a sign where notes differ", () => {
    const { mei, kinds } = twoStaves(columns, query, document, 7);
    expect(mei.match(/<measure /g)).toHaveLength(3);
    expect(mei.match(/<space /g)).toHaveLength(1);
    expect(mei.match(/≠/g)).toHaveLength(1);
    expect(mei.match(/<syl>\+/g)).toHaveLength(1);
    expect(kinds).toEqual(["same", "same", "document", "changed", "changed"]);
    expect(mei).toMatch(/xml:id="n0" dur="4" pname="g" oct="4"/);
    expect(mei).toMatch(/xml:id="n1" dur="2" pname="g" oct="4"/);
    expect(mei).toMatch(/xml:id="n2" dur="4" pname="g" oct="4" accid="s"/);
  });
  it("sound together", () => {
    expect(twoStaves(columns, query, document, 7).sounds.map(({ onset }) => onset)).toEqual([0, 0, 0.25, 0.75, 0.75]);
  });
});

describe("a melody from its match on", () => {
  const mei = '<section><measure n="1"><note xml:id="n0"/><note xml:id="n1"/></measure><measure n="2"><note xml:id="n2"/></measure><measure n="3"><note xml:id="n3"/></measure></section>';
  it("begins with the measure of that note", () => {
    expect(fromMeasureOf(mei, 2)).toBe('<section><measure n="2"><note xml:id="n2"/></measure><measure n="3"><note xml:id="n3"/></measure></section>');
    expect(fromMeasureOf(mei, 1)).toBe(mei);
    expect(fromMeasureOf(mei, 99)).toBe(mei);
  });
});
