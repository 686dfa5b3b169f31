import { describe, expect, it } from "vitest";
import { goesOn } from "../app/hooks";
import { passes, pauseAfter } from "../shared/hooks";

describe("what is typed", () => {
  it.each([
    ["'4CDE", "'4CDEF"],
    ["'4CDE", "'4CD"],
    ["'4CDEFG", "'4CDxEFG"],
    ["", "'"],
    ["'4", ""],
  ])("goes on: %s, %s", (before, after) => expect(goesOn(before, after)).toBe(true));
  it.each([
    ["'4CDEF", ""],
    ["'4CDEFGA", "''8GGFFEE"],
    ["%G-2 '4CDE", "X:1"],
    ["C4 D4 E4 C4 D4 E4 F4", "C4 D4 E4"],
  ])("is another query: %s, %s", (before, after) => expect(goesOn(before, after)).toBe(false));
});

describe("after an outage", () => {
  const problem = { status: 0, title: "", detail: "", code: "offline" };
  it("is asked again, less and less often", () => {
    expect([0, 1, 2, 3, 4, 9].map((n) => pauseAfter(n, problem))).toEqual([1, 2, 4, 8, 15, 15]);
    expect(pauseAfter(0, { ...problem, status: 503, after: 5 })).toBe(5);
  });
  it("and after nothing else", () => {
    expect(passes(problem)).toBe(true);
    expect(passes({ ...problem, code: "http", status: 503 })).toBe(true);
    expect(passes({ ...problem, code: "pae-odd", status: 422 })).toBe(false);
  });
});
