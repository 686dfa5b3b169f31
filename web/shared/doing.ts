import { useState } from "preact/hooks";
import { problemOf, type Problem } from "./http";

/** Something that may fail: whether it is under way, what went wrong, and a function that does it. */
export function useDoing(): { busy: boolean; problem: Problem | null; run: (what: () => Promise<unknown>) => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await what();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { busy, problem, run };
}
