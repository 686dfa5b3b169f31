import { describe, expect, test } from "vitest";
import { asks, emptyState, readState, searchParameters, writeState, type State } from "../app/state";

const kFull: State = {
  q: "%G-2$xF '4A+B&c=d",
  m: "",
  id: "",
  system: "time",
  text: "haydn & söhne",
  where: "",
  facets: { ...emptyState().facets, composer: ["Haydn, Joseph", "a&b"], century: ["18th"] },
  switches: { ...emptyState().switches, anchored: true, graces: true },
  set: { rhythm: 0.25, gap: -1 },
  sort: "year",
  k: 40,
  offset: 80,
  beside: ["shapeh", "ngram"],
  show: "id/with?odd#signs",
  view: "search",
  steps: "",
};

describe("the address", () => {
  test("holds everything: what is written is read again", () => {
    expect(readState(writeState(kFull).slice(1))).toEqual(kFull);
  });
  test("is short for an empty page", () => {
    expect(writeState(emptyState())).toBe("/");
    expect(readState("")).toEqual(emptyState());
  });
  test("keeps the plus of a tie", () => {
    expect(readState(writeState({ ...emptyState(), q: "'4A+A" }).slice(1)).q).toBe("'4A+A");
  });
  test("can hold nonsense without harm", () => {
    const state = readState("?k=-5&offset=1e9&set=x&set=:1&set=a:b&anchored=yes&view=%00&beside=&beside=a&beside=b&beside=c&k=9999999999");
    expect(state).toEqual({ ...emptyState(), beside: ["a", "b"] });
    expect(readState("?k=5000").k).toBe(100);
  });
  test("has a long melody by its key, and never its text", () => {
    const long = { ...emptyState(), q: "C4 D4 ".repeat(400) };
    expect(writeState(long)).toBe("/");
    expect(writeState({ ...long, m: "k3y" })).toBe("/?m=k3y");
    expect(asks(readState("?m=k3y"))).toBe(true);
    expect(writeState({ ...emptyState(), q: "CDE", m: "k3y" })).toBe("/?m=k3y");
  });
  test("never sets a system beside itself", () => {
    expect(readState("?system=time&beside=time&beside=shapeh").beside).toEqual(["shapeh"]);
  });
});

describe("the question to the API", () => {
  test("has the API's names and leaves out what is only of the page", () => {
    const asked = searchParameters(kFull);
    expect(asked.getAll("composer")).toEqual(["Haydn, Joseph", "a&b"]);
    expect(asked.getAll("set")).toEqual(["rhythm:0.25", "gap:-1"]);
    expect([asked.get("anchored"), asked.get("fold_octaves")]).toEqual(["1", null]);
    expect([asked.get("show"), asked.get("beside"), asked.get("view")]).toEqual([null, null, null]);
  });
  test("goes by the id when there is one", () => {
    const asked = searchParameters({ ...emptyState(), q: "ABC", id: "x" });
    expect([asked.get("id"), asked.get("q")]).toEqual(["x", null]);
  });
  test("is only asked when there is something to ask", () => {
    expect([asks(emptyState()), asks({ ...emptyState(), q: "  " }), asks({ ...emptyState(), text: "a" })]).toEqual([false, false, true]);
  });
});
