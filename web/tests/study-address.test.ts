import { expect, test } from "vitest";
import { readFragment, studyOf } from "../study/address";
import { yearsOf } from "../study/welcome";

test("an invitation and a place within the page are told apart", () => {
  expect(readFragment("#open-abc")).toEqual({ link: "abc" });
  expect(readFragment("#ABCD-EFGH")).toEqual({ code: "ABCD-EFGH" });
  expect(readFragment("#query-3")).toEqual({ view: { kind: "query", number: 3 } });
  expect(readFragment("#instructions")).toEqual({ view: { kind: "instructions" } });
  expect(readFragment("")).toEqual({ view: { kind: "overview" } });
  expect(readFragment("#%E0%A4%A")).toEqual({ code: "%E0%A4%A" });
});

test("the name of the study is in the path", () => {
  expect(studyOf("/study/tunes")).toBe("tunes");
  expect(studyOf("/study/two%20words/")).toBe("two words");
  expect(studyOf("/study/%E0%A4%A")).toBe("%E0%A4%A");
});

test("years are a number within a life, or left out", () => {
  expect(yearsOf(" 12,5 ")).toBe(12.5);
  expect(yearsOf("")).toBeNull();
  for (const text of ["-1", "101", "many", "NaN", "Infinity"]) expect(yearsOf(text)).toBe("wrong");
});
