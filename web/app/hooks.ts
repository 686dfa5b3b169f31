import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { readState, writeState, type State } from "./state";

export type Update = (change: Partial<State>, how?: "push" | "typing") => void;

/**
 * The state of the page is the address. Steps one may want to take back are pushed; while somebody types, the address
 * follows without a new entry for every letter.
 */
export function useAddress(): [State, Update] {
  const [state, setState] = useState(() => readState(location.search));
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const back = () => setState(readState(location.search));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const update = useCallback<Update>((change, how = "push") => {
    const next = { ...latest.current, ...change };
    const address = writeState(next);
    if (address !== location.pathname + location.search) {
      const goesOn = how === "typing" && history.state?.typing === true;
      history[goesOn ? "replaceState" : "pushState"]({ typing: how === "typing" }, "", address);
    }
    latest.current = next;
    setState(next);
  }, []);
  return [state, update];
}
