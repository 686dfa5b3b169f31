// Singing, humming and whistling. What is heard is written while one sings, and once more when one stops.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shared/parts/icon";
import { stop as stopPlayback } from "../../shared/playback/player";
import type { Frame } from "../hear/frames";
import { listen, type Listening, type Refusal } from "../hear/microphone";
import type { Played } from "../hear/rhythm";
import { inComfortableOctave, segment } from "../hear/segment";
import { t } from "../texts";
import { nameOfMidi } from "./names";

interface Props {
  /** Listening begins: what is heard is another take. */
  begin: () => void;
  heard: (notes: Played[]) => void;
}

const kSeconds = 6; // that the curve shows
const kLongest = 60; // seconds, then it stops by itself
const kEvery = 0.8; // seconds between two looks at what was sung
const kWidth = 300;
const kHeight = 60;

/** The pitch of the last seconds as a path; silence is a gap. */
function curve(frames: readonly Frame[]): string {
  const end = frames.at(-1)?.time ?? 0;
  const recent = frames.filter(({ time, midi }) => time > end - kSeconds && midi !== null);
  const pitches = recent.map(({ midi }) => midi ?? 0);
  const middle = [...pitches].sort((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 60;
  let path = "";
  let before = Number.NEGATIVE_INFINITY;
  for (const { time, midi } of recent) {
    const x = kWidth * (1 - (end - time) / kSeconds);
    const y = kHeight / 2 - (Math.max(-9, Math.min(9, (midi ?? 0) - middle)) * kHeight) / 20;
    path += `${time - before > 0.03 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    before = time;
  }
  return path;
}

export function Sing({ begin, heard }: Props): JSX.Element {
  const [state, setState] = useState<"idle" | "asking" | "listening" | "nothing" | Refusal>("idle");
  const [shown, setShown] = useState({ path: "", name: "" });
  const listening = useRef<Listening | null>(null);
  const frames = useRef<Frame[]>([]);
  const looked = useRef(0);
  const alive = useRef(true);

  const write = (): number => {
    const notes = inComfortableOctave(segment(frames.current));
    if (notes.length > 0) heard(notes);
    return notes.length;
  };
  const stop = () => {
    listening.current?.stop();
    listening.current = null;
    setState(write() > 0 ? "idle" : "nothing");
    setShown({ path: "", name: "" });
  };
  const latest = useRef(stop);
  latest.current = stop;
  const latestWrite = useRef(write);
  latestWrite.current = write;

  const take = (more: Frame[]) => {
    frames.current.push(...more);
    const now = frames.current.at(-1);
    if (!now || !listening.current) return;
    if (now.time > kLongest) return latest.current();
    setShown({ path: curve(frames.current), name: now.midi === null ? "" : nameOfMidi(Math.round(now.midi)) });
    if (now.time - looked.current < kEvery) return;
    looked.current = now.time;
    latestWrite.current();
  };

  const start = async () => {
    stopPlayback();
    setState("asking");
    frames.current = [];
    looked.current = 0;
    try {
      const opened = await listen(take);
      if (!alive.current) return opened.stop();
      listening.current = opened;
      begin();
      setState("listening");
    } catch (refusal) {
      setState(refusal as Refusal);
    }
  };
  useEffect(
    () => () => {
      alive.current = false;
      listening.current?.stop();
    },
    [],
  );

  const on = state === "listening";
  const trouble = state === "idle" || state === "asking" || on ? "" : t.sing[state];
  return (
    <div class="sing">
      <div class="tools">
        <button type="button" class={`record${on ? " on" : ""}`} disabled={state === "asking"} onClick={() => (on ? stop() : void start())}>
          <Icon name={on ? "stop" : "microphone"} />
          {on ? t.sing.stop : t.sing.start}
        </button>
        <svg class="trace" viewBox={`0 0 ${kWidth} ${kHeight}`} preserveAspectRatio="none" role="img" aria-label={t.sing.trace}>
          <path d={shown.path} />
        </svg>
        <output class="pitch" aria-hidden="true">
          {shown.name}
        </output>
      </div>
      <p class={trouble ? "problem" : "note"} role="status">
        {trouble || (on ? `${t.sing.listening} …` : t.sing.hint)}
      </p>
      <p class="note">{t.sing.private}</p>
    </div>
  );
}
