import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "./http";
import { nowPlaying, onPlaying } from "./playback/player";

export interface Asked<T> {
  data: T | null;
  problem: Problem | null;
  busy: boolean;
  /** Milliseconds from question to answer, as the page saw it. */
  took: number;
  /** Asks once more, now. */
  again: () => void;
}

/** An outage passes: no answer, a gateway without its server, a server that has too much to do. */
export const passes = ({ code, status }: Problem): boolean => code === "offline" || [429, 502, 503, 504].includes(status);

const kLongestWait = 15; // seconds

/** Seconds until the question is asked again after so many failures. */
export const pauseAfter = (failures: number, problem: Problem): number => Math.min(kLongestWait, problem.after ?? 2 ** Math.min(failures, 4));

/**
 * Asks again whenever `key` changes, `wait` milliseconds after the last change; an empty key asks nothing. An answer
 * that was overtaken is dropped. The last answer stays until the next one, so that nothing flickers. After an outage it
 * asks again by itself.
 */
export function useAsked<T>(key: string, wait: number, question: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const [asked, setAsked] = useState<Omit<Asked<T>, "again">>({ data: null, problem: null, busy: key !== "", took: 0 });
  const [attempt, setAttempt] = useState(0);
  const failures = useRef(0);
  const askedFor = useRef("");
  const lastAttempt = useRef(0);
  const latest = useRef(question);
  latest.current = question;
  const again = useCallback(() => setAttempt((n) => n + 1), []);
  useEffect(() => {
    if (key === "") {
      setAsked({ data: null, problem: null, busy: false, took: 0 });
      return undefined;
    }
    if (askedFor.current !== key) failures.current = 0;
    askedFor.current = key;
    const repeated = attempt !== lastAttempt.current;
    lastAttempt.current = attempt;
    const abort = new AbortController();
    let retry = 0;
    setAsked((before) => ({ ...before, busy: true }));
    const timer = window.setTimeout(
      async () => {
        const start = performance.now();
        try {
          const data = await latest.current(abort.signal);
          failures.current = 0;
          if (!abort.signal.aborted) setAsked({ data, problem: null, busy: false, took: performance.now() - start });
        } catch (error) {
          if (abort.signal.aborted) return;
          const problem = problemOf(error);
          setAsked({ data: null, problem, busy: false, took: 0 });
          if (passes(problem)) retry = window.setTimeout(again, 1000 * pauseAfter(failures.current++, problem));
        }
      },
      repeated ? 0 : wait,
    );
    addEventListener("online", again);
    return () => {
      removeEventListener("online", again);
      window.clearTimeout(timer);
      window.clearTimeout(retry);
      abort.abort();
    };
  }, [key, wait, attempt]);
  return { ...asked, again };
}

/** The key of what is playing now, or nothing. */
export function usePlayingKey(): string {
  const [key, setKey] = useState(nowPlaying()?.key ?? "");
  useEffect(() => onPlaying(() => setKey(nowPlaying()?.key ?? "")), []);
  return key;
}

/** True while the media query holds. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = () => setHolds(list.matches);
    changed();
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  }, [query]);
  return holds;
}
