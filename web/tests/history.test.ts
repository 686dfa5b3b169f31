import { expect, test } from "vitest";
import { kNoHistory, noted, redone, undone } from "../study/history";

test("moves are undone in reverse and redone in order", () => {
  const first = [["a"]];
  const second = [["a"], ["b"]];
  const third = [["b"], ["a"]];
  let history = noted(noted(kNoHistory, first, second), second, third);
  const back = undone(history, third);
  expect(back?.ranking).toEqual(second);
  const again = undone(back?.history ?? kNoHistory, second);
  expect(again?.ranking).toEqual(first);
  expect(undone(again?.history ?? kNoHistory, first)).toBeNull();
  const forth = redone(again?.history ?? kNoHistory, first);
  expect(forth?.ranking).toEqual(second);
  expect(redone(forth?.history ?? kNoHistory, second)?.ranking).toEqual(third);
  history = noted(forth?.history ?? kNoHistory, second, first);
  expect(redone(history, first)).toBeNull();
});

test("a move that changes nothing is not remembered", () => {
  expect(noted(kNoHistory, [["a"]], [["a"]])).toBe(kNoHistory);
});
