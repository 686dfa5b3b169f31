import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "./http";
import { nowPlaying, onPlaying } from "./playback/player";

export interface Asked<T> {
  data: T | null;
  problem: Problem | null;
  busy: boolean;
  /** Milliseconds from question to answer, as the page saw it. */
  took: number;
}

/**
 * Asks again whenever `key` changes, `wait` milliseconds after the last change; an empty key asks nothing. An answer
 * that was overtaken is dropped. The last answer stays until the next one, so that nothing flickers.
 */
export function useAsked<T>(key: string, wait: number, question: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ data: null, problem: null, busy: key !== "", took: 0 });
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    if (key === "") {
      setAsked({ data: null, problem: null, busy: false, took: 0 });
      return undefined;
    }
    const abort = new AbortController();
    setAsked((before) => ({ ...before, busy: true }));
    const timer = setTimeout(async () => {
      const start = performance.now();
      try {
        const data = await latest.current(abort.signal);
        if (!abort.signal.aborted) setAsked({ data, problem: null, busy: false, took: performance.now() - start });
      } catch (error) {
        if (!abort.signal.aborted) setAsked({ data: null, problem: problemOf(error), busy: false, took: 0 });
      }
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, wait]);
  return asked;
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
