import { describe, expect, test } from "vitest";
import { shelfmarkOf } from "../tables/data";
import { dots, kMargin, quantile, scaleFor, shown, squares, summaryOf, ticks, x } from "../tables/geometry";

const summary = (...ranks: number[]) => summaryOf(ranks);
const scale = { low: 1, high: 11, width: 100 + 2 * kMargin };

describe("summary", () => {
  test("quartiles and tenths lie between neighbours as in R", () => {
    // quantile(c(1, 2, 3, 4), c(.1, .25, .5, .75, .9)) is 1.3 1.75 2.5 3.25 3.7
    expect(summary(4, 2, 1, 3)).toMatchObject({ p10: 1.3, q1: 1.75, median: 2.5, q3: 3.25, p90: 3.7, mean: 2.5 });
    expect(quantile([5], 0.9)).toBe(5);
  });
  test("the deviation divides by one less than their number", () => {
    // 2, 4, 6: mean 4, squares 4 + 0 + 4, divided by 2
    expect(summary(2, 4, 6).deviation).toBe(2);
    expect(summary(3).deviation).toBeNull();
  });
  test("of nothing there is nothing to draw", () => expect(summaryOf([Number.NaN])).toMatchObject({ ranks: [], median: null, q1: null }));
});

describe("scale", () => {
  test("reaches from the first rank to the last, and as far as the deviations", () => {
    expect(scaleFor([summary(1, 1, 1), summary(9, 9)], 100)).toEqual({ low: 1, high: 9, width: 100 });
    // 1 and 5: mean 3, deviation √8; so from 3 − √8 to 3 + √8
    const wide = scaleFor([summary(1, 5)], 100);
    expect(wide.low).toBeCloseTo(3 - Math.sqrt(8));
    expect(wide.high).toBeCloseTo(3 + Math.sqrt(8));
    expect(scaleFor([], 100)).toEqual({ low: 1, high: 2, width: 100 });
  });
  test("places are even between the margins", () => {
    expect(x(scale, 1)).toBe(kMargin);
    expect(x(scale, 6)).toBe(kMargin + 50);
    expect(x(scale, 11)).toBe(kMargin + 100);
  });
  test("numbers are round, begin with the first rank and do not run into each other", () => {
    expect(ticks({ low: 0.3, high: 6.2, width: 1 })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(ticks({ low: 1, high: 17, width: 1 })).toEqual([1, 2, 4, 6, 8, 10, 12, 14, 16]);
    expect(ticks({ low: 1, high: 50, width: 1 })).toEqual([1, 10, 20, 30, 40, 50]);
    expect(ticks({ low: 0, high: 41, width: 1 }, 9, 0)).toEqual([0, 10, 20, 30, 40]);
    expect(ticks({ low: 1, high: 1e6, width: 1 }).length).toBeLessThan(12);
  });
});

describe("dots", () => {
  test("one for every vote, equal ones piled around the middle", () => {
    const found = dots(scale, [6, 1, 6, 6], 20, 40, 4);
    expect(found).toEqual([
      { x: kMargin, y: 20 },
      { x: kMargin + 50, y: 16 },
      { x: kMargin + 50, y: 20 },
      { x: kMargin + 50, y: 24 },
    ]);
  });
  test("many stay within the room there is", () => {
    const ys = dots(scale, Array(35).fill(3), 20, 40, 4).map(({ y }) => y);
    expect(Math.min(...ys)).toBeCloseTo(0);
    expect(Math.max(...ys)).toBeCloseTo(40);
  });
});

describe("the bar of tests", () => {
  test("one square for each candidate above, dark as high as p", () => {
    // The paper's Roslin Castle, third candidate: nearly all light against the first, mostly dark against the second.
    const [first, second] = squares([0.0002765, 0.6363], 330);
    expect(first).toMatchObject({ x: kMargin, size: 14 });
    expect(first?.dark).toBeCloseTo(14 * 0.0002765);
    expect(second?.x).toBe(kMargin + 14);
    expect(second?.dark).toBeCloseTo(14 * 0.6363);
  });
  test("many are smaller and still fit; without a test there is no dark part", () => {
    const row = squares(Array(49).fill(null), 330);
    expect((row.at(-1)?.x ?? 0) + (row.at(-1)?.size ?? 0)).toBeCloseTo(330 - kMargin);
    expect(row[0]?.dark).toBeNull();
    expect(squares([], 330)).toEqual([]);
  });
});

test("a table ends a little after the last border, or is complete when asked or when there is no border", () => {
  const row = (...borders: number[]) => Array.from({ length: 20 }, (_, i) => ({ border_above: borders.includes(i) }));
  expect(shown(row(1, 3, 5), false)).toBe(8);
  expect(shown(row(1, 3, 5), true)).toBe(20);
  expect(shown(row(), false)).toBe(20);
  expect(shown(row(19), false)).toBe(20);
});

test("files of earlier versions call the shelfmark a signature", () => {
  expect(shelfmarkOf({ id: "a", signature: "D-Mbs Mus.ms. 1" })).toBe("D-Mbs Mus.ms. 1");
  expect(shelfmarkOf({ id: "a", shelfmark: "", signature: "old" })).toBe("");
  expect(shelfmarkOf({ id: "a" })).toBe("");
});
