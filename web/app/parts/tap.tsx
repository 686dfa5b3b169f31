// A rhythm without pitches: every tap is a note.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { strike } from "../../shared/playback/player";
import type { Played } from "../hear/rhythm";
import { KeyRecorder } from "../hear/take";
import { t } from "../texts";

export const kTapped = 71; // B4, the middle line of the staff

interface Props {
  /** Another number: begin anew. */
  round: number;
  tapped: (notes: Played[]) => void;
}

/** A tap has no length: each note lasts to the next, and the last as long as most. */
function filled(notes: readonly Played[]): Played[] {
  const gaps = notes.slice(1).map(({ start }, i) => start - (notes[i]?.start ?? 0));
  const usual = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return notes.map((note, i) => ({ ...note, end: notes[i + 1]?.start ?? Math.max(note.end, note.start + usual) }));
}

const kPause = 300; // milliseconds after the last tap; then it is written

export function Tap({ round, tapped }: Props): JSX.Element {
  const recorder = useRef(new KeyRecorder());
  const timer = useRef(0);
  const held = useRef(false);
  const [down, setDown] = useState(false);
  const latest = useRef(tapped);
  latest.current = tapped;
  // At once, not after the next picture: what is played in between would be lost.
  useLayoutEffect(() => {
    recorder.current = new KeyRecorder();
  }, [round]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const press = (time: number) => {
    recorder.current.down(kTapped, time);
    strike(kTapped);
    held.current = true;
    setDown(true);
  };
  const release = (time: number) => {
    if (!held.current) return;
    held.current = false;
    recorder.current.up(kTapped, time);
    setDown(false);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current(filled(recorder.current.played(time))), kPause);
  };
  const isTap = (event: KeyboardEvent) => event.key === " " || event.key === "Enter" || /^[a-z]$/i.test(event.key);
  return (
    <div class="tap">
      <button
        type="button"
        class={`pad${down ? " down" : ""}`}
        onPointerDown={(event) => event.button === 0 && press(event.timeStamp / 1000)}
        onPointerUp={(event) => release(event.timeStamp / 1000)}
        onPointerLeave={(event) => release(event.timeStamp / 1000)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !isTap(event)) return;
          event.preventDefault();
          if (!event.repeat) press(event.timeStamp / 1000);
        }}
        onKeyUp={(event) => isTap(event) && release(event.timeStamp / 1000)}
      >
        {t.tap.pad}
      </button>
      <p class="note">{t.tap.hint}</p>
    </div>
  );
}
