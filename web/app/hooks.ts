import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { readState, writeState, type State } from "./state";

/** `typing`: goes on with what is typed if it is the same query; `same`: it is, however much of it changes. */
export type Update = (change: Partial<State>, how?: "push" | "typing" | "same") => void;

const kRest = 3000; // milliseconds after which a query counts as one of its own

/**
 * Whether what is typed goes on with what was there: something added or deleted at its end, or a small change within. All
 * that was deleted at once, or replaced, was a query that one may want back.
 */
export function goesOn(before: string, after: string): boolean {
  if (after === "") return before.length <= 2;
  if (after.startsWith(before)) return true;
  let head = 0;
  while (before[head] === after[head] && head < before.length) ++head;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) ++tail;
  return head + tail >= Math.max(before.length, after.length) / 2;
}

/**
 * The state of the page is the address. Steps one may want to take back are pushed; while somebody types, the address
 * follows without a new entry for every letter. A query that has stood for a while stays in the history.
 */
export function useAddress(): [State, Update] {
  const [state, setState] = useState(() => readState(location.search));
  const latest = useRef(state);
  const typed = useRef(0);
  latest.current = state;
  useEffect(() => {
    const back = () => setState(readState(location.search));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const update = useCallback<Update>((change, how = "push") => {
    const before = latest.current;
    const next = { ...before, ...change };
    // A key stands for one text.
    if (change.q !== undefined && change.q !== before.q && change.m === undefined) next.m = "";
    const address = writeState(next);
    if (address !== location.pathname + location.search) {
      const now = performance.now();
      const goes = how === "same" || (how === "typing" && now - typed.current < kRest && goesOn(before.q, next.q));
      if (how !== "push") typed.current = now;
      history[goes && history.state?.typing === true ? "replaceState" : "pushState"]({ typing: how !== "push" }, "", address);
    }
    latest.current = next;
    setState(next);
  }, []);
  return [state, update];
}
