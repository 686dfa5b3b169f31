import { describe, expect, test } from "vitest";
import { cleaned, goalAt, moved, put, rankOf, same, type Card, type Ranking } from "../study/order";
import { scrollSpeed } from "../study/drag";

const abc: Ranking = [["a"], ["b"], ["c"]];
const tied: Ranking = [["a"], ["b", "c"], ["d"]];

describe("moves", () => {
  test("up and down change places with the neighbour", () => {
    expect(moved(abc, "c", "up")).toEqual([["a"], ["c"], ["b"]]);
    expect(moved(abc, "a", "down")).toEqual([["b"], ["a"], ["c"]]);
  });
  test("the best cannot go up, and nothing happens", () => expect(moved(abc, "a", "up")).toBe(abc));
  test("down from the last place crosses the line, up from below enters at the end", () => {
    expect(moved(abc, "c", "down")).toEqual([["a"], ["b"]]);
    expect(moved(abc, "x", "up")).toEqual([["a"], ["b"], ["c"], ["x"]]);
    expect(moved([], "x", "up")).toEqual([["x"]]);
    expect(moved(abc, "x", "down")).toBe(abc);
  });
  test("to the top and out, from wherever it is", () => {
    expect(moved(abc, "c", "top")).toEqual([["c"], ["a"], ["b"]]);
    expect(moved(abc, "x", "top")).toEqual([["x"], ["a"], ["b"], ["c"]]);
    expect(moved(tied, "c", "out")).toEqual([["a"], ["b"], ["d"]]);
  });
  test("one of a tie steps out of it first", () => {
    expect(moved(tied, "c", "up")).toEqual([["a"], ["c"], ["b"], ["d"]]);
    expect(moved(tied, "b", "down")).toEqual([["a"], ["c"], ["b"], ["d"]]);
    expect(moved([["a", "b"]], "a", "up")).toEqual([["a"], ["b"]]);
  });
  test("a tie joins with the one above, and parts again at the same place", () => {
    expect(moved(abc, "b", "tie")).toEqual([["a", "b"], ["c"]]);
    expect(moved(tied, "c", "tie")).toEqual([["a"], ["b"], ["c"], ["d"]]);
    expect(moved(tied, "b", "tie")).toEqual([["a", "b", "c"], ["d"]]);
    expect(moved(abc, "a", "tie")).toBe(abc);
    expect(moved(abc, "x", "tie")).toBe(abc);
  });
  test("ranks are counted as in a race", () => expect(tied.map((_, at) => rankOf(tied, at))).toEqual([1, 2, 4]));
});

describe("putting", () => {
  test("the goal counts groups before anything is lifted out", () => {
    expect(put(abc, "a", { kind: "before", group: 3 })).toEqual([["b"], ["c"], ["a"]]);
    expect(put(abc, "a", { kind: "before", group: 2 })).toEqual([["b"], ["a"], ["c"]]);
    expect(same(put(abc, "b", { kind: "before", group: 1 }), abc)).toBe(true);
    expect(same(put(abc, "b", { kind: "before", group: 2 }), abc)).toBe(true);
  });
  test("into a group, also its own", () => {
    expect(put(abc, "x", { kind: "with", group: 1 })).toEqual([["a"], ["b", "x"], ["c"]]);
    expect(put(tied, "b", { kind: "with", group: 1 })).toEqual(tied);
    expect(put(abc, "x", { kind: "with", group: 9 })).toBe(abc);
  });
});

describe("where a drop goes", () => {
  const card = (group: number, top: number, first = true, last = true): Card => ({ group, first, last, top, bottom: top + 90 });
  const cards = [card(0, 0), card(1, 100), card(2, 200)];
  test("halves without ties", () => {
    expect(goalAt(cards, 140, 300, false)).toEqual({ kind: "before", group: 1 });
    expect(goalAt(cards, 150, 300, false)).toEqual({ kind: "before", group: 2 });
  });
  test("thirds with ties", () => {
    expect(goalAt(cards, 110, 300, true)).toEqual({ kind: "before", group: 1 });
    expect(goalAt(cards, 145, 300, true)).toEqual({ kind: "with", group: 1 });
    expect(goalAt(cards, 185, 300, true)).toEqual({ kind: "before", group: 2 });
  });
  test("between two of one tie means into it", () => {
    const pair = [card(0, 0, true, false), card(0, 100, false, true)];
    expect(goalAt(pair, 80, 300, true)).toEqual({ kind: "with", group: 0 });
    expect(goalAt(pair, 105, 300, true)).toEqual({ kind: "with", group: 0 });
    expect(goalAt(pair, 185, 300, true)).toEqual({ kind: "before", group: 1 });
  });
  test("beyond the line is out, after the last is the end, an empty list has a first place", () => {
    expect(goalAt(cards, 301, 300, true)).toEqual({ kind: "out" });
    expect(goalAt(cards, 295, 300, true)).toEqual({ kind: "before", group: 3 });
    expect(goalAt([], 50, 300, true)).toEqual({ kind: "before", group: 0 });
  });
  test("the page scrolls near its edges, faster further out, never beyond a limit", () => {
    expect(scrollSpeed(400, 200, 800)).toBe(0);
    expect(scrollSpeed(236, 200, 800)).toBe(-10);
    expect(scrollSpeed(-500, 200, 800)).toBe(-20);
    expect(scrollSpeed(800, 200, 800)).toBe(20);
  });
});

test("a ranking from elsewhere loses what is unknown and what is double", () =>
  expect(cleaned([["a", "z"], ["a", "b"], ["y"]], ["a", "b", "c"])).toEqual([["a"], ["b"]]));
