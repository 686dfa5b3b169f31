import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useMedia } from "../../shared/hooks";
import { Icon, NoteIcon } from "../../shared/parts/icon";
import { strike } from "../../shared/playback/player";
import type { Played } from "../hear/rhythm";
import { KeyRecorder } from "../hear/take";
import { actionOf, letterOf, type Action } from "../pae/keys";
import type { Length } from "../pae/typing";
import { t } from "../texts";
import { MidiButton } from "./midi";
import { nameOfMidi } from "./names";

export type Press =
  | { kind: "note"; midi: number; length: Length }
  | { kind: "rest"; length: Length }
  | { kind: "bar" | "tie" | "back" };

interface Props {
  press: (press: Press) => void;
  /** What was played since recording began, at every pause. */
  played: (notes: Played[]) => void;
  recording: boolean;
  setRecording: (on: boolean) => void;
  /** Another number: recording begins anew. */
  round: number;
  length: Length;
  setLength: (length: Length) => void;
  undo: () => void;
  redo: () => void;
  /** The octave to begin with, after the clef. */
  octave: number;
}

const kPause = 350; // milliseconds without a key; then what was played is written

const kFigures = ["1", "2", "4", "8", "6", "3"];
const isBlack = (semitone: number): boolean => [1, 3, 6, 8, 10].includes(semitone % 12);

export function Piano({ press, played, recording, setRecording, round, length, setLength, undo, redo, octave }: Props): JSX.Element {
  const [shift, setShift] = useState(0);
  const [focused, setFocused] = useState(0);
  const [down, setDown] = useState<number | null>(null);
  const narrow = useMedia("(max-width: 40rem)");
  const wide = useMedia("(min-width: 64rem)");
  const keys = useRef<HTMLDivElement>(null);
  const lowest = 12 * (octave + shift + 1);
  const count = narrow ? 13 : wide ? 37 : 25;
  // Wide pianos begin an octave lower, so that the octave of the clef lies in the middle.
  const first = wide ? lowest - 12 : lowest;

  const recorder = useRef(new KeyRecorder());
  const timer = useRef(0);
  /** Which note each key of the computer began: the octave may change while it is held. */
  const held = useRef(new Map<string, number>());
  // At once, not after the next picture: what is played in between would be lost.
  useLayoutEffect(() => {
    recorder.current = new KeyRecorder();
  }, [recording, round]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const report = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => played(recorder.current.played(performance.now() / 1000)), kPause);
  };
  const begin = (midi: number, time: number) => {
    strike(midi);
    setDown(midi);
    if (!recording) return press({ kind: "note", midi, length });
    recorder.current.down(midi, time);
    report();
  };
  const end = (midi: number, time: number) => {
    if (!recording) return;
    recorder.current.up(midi, time);
    report();
  };

  useEffect(() => {
    if (down === null) return undefined;
    const timer = setTimeout(() => setDown(null), 180);
    return () => clearTimeout(timer);
  }, [down]);
  useEffect(() => setShift(0), [octave]);

  const doIt = (action: Exclude<Action, { kind: "note" }>) => {
    if (action.kind === "length") setLength({ figure: action.figure, dotted: false });
    else if (action.kind === "dot") setLength({ ...length, dotted: !length.dotted });
    else if (action.kind === "octave") setShift(Math.max(-2, Math.min(2, shift + action.by)));
    else if (action.kind === "rest") press({ kind: "rest", length });
    else press({ kind: action.kind });
  };

  const move = (by: number) => {
    const next = Math.max(0, Math.min(count - 1, focused + by));
    setFocused(next);
    (keys.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  // Letters play only while the piano has the focus, so they never get in the way of anything else.
  const keyDown = (event: KeyboardEvent) => {
    const onKey = keys.current?.contains(event.target as Node);
    const moves: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 12, ArrowDown: -12, Home: -count, End: count };
    const by = moves[event.key];
    if (by !== undefined && onKey) {
      event.preventDefault();
      move(by);
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
      return;
    }
    const action = actionOf(event);
    if (!action || event.repeat) return;
    event.preventDefault();
    if (action.kind !== "note") return doIt(action);
    const midi = lowest + action.semitone;
    held.current.set(event.code, midi);
    begin(midi, event.timeStamp / 1000);
  };
  const keyUp = (event: KeyboardEvent) => {
    const midi = held.current.get(event.code);
    held.current.delete(event.code);
    if (midi !== undefined) end(midi, event.timeStamp / 1000);
  };

  return (
    <div class="piano" role="group" aria-label={t.piano.label} onKeyDown={keyDown} onKeyUp={keyUp}>
      <div class="tools">
        <fieldset class="lengths">
          <legend class="hidden">{t.piano.length}</legend>
          {kFigures.map((figure) => (
            <label key={figure} title={t.piano.lengths[figure]}>
              <input type="radio" name="length" checked={length.figure === figure} onChange={() => setLength({ ...length, figure })} />
              <NoteIcon figure={figure} />
              <span class="hidden">{t.piano.lengths[figure]}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" class="tool dot" aria-pressed={length.dotted} title={t.piano.dot} onClick={() => doIt({ kind: "dot" })}>
          <span aria-hidden="true">•</span>
          <span class="hidden">{t.piano.dot}</span>
        </button>
        {(["rest", "bar", "tie", "back"] as const).map((kind) => (
          <button type="button" class="tool" key={kind} title={t.piano[kind]} onClick={() => doIt({ kind })}>
            <Icon name={kind} />
            <span class="hidden">{t.piano[kind]}</span>
          </button>
        ))}
        <span class="octaves">
          <button type="button" class="tool" title={t.piano.lower} disabled={shift <= -2} onClick={() => setShift(shift - 1)}>
            <span aria-hidden="true">8↓</span>
            <span class="hidden">{t.piano.lower}</span>
          </button>
          <button type="button" class="tool" title={t.piano.higher} disabled={shift >= 2} onClick={() => setShift(shift + 1)}>
            <span aria-hidden="true">8↑</span>
            <span class="hidden">{t.piano.higher}</span>
          </button>
        </span>
        <button type="button" class="tool wide" aria-pressed={recording} title={t.piano.recordHint} onClick={() => setRecording(!recording)}>
          <Icon name="record" /> {t.piano.record}
        </button>
        <MidiButton opened={() => setRecording(true)} down={begin} up={end} />
      </div>
      <div class="keys" ref={keys}>
        {Array.from({ length: count }, (_, i) => first + i).map((midi, i) => (
          <button
            type="button"
            key={i}
            tabIndex={i === Math.min(focused, count - 1) ? 0 : -1}
            class={`${isBlack(midi) ? "black" : "white"}${down === midi ? " down" : ""}`}
            aria-label={nameOfMidi(midi)}
            data-letter={midi >= lowest ? letterOf(midi - lowest) : ""}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              setFocused(i);
              begin(midi, event.timeStamp / 1000);
            }}
            onPointerUp={(event) => end(midi, event.timeStamp / 1000)}
            onPointerLeave={(event) => end(midi, event.timeStamp / 1000)}
            onClick={(event) => {
              // A pointer has played it already; Enter and Space arrive as clicks without one.
              if (event.detail !== 0) return;
              begin(midi, event.timeStamp / 1000);
              end(midi, event.timeStamp / 1000 + 0.2);
            }}
          >
            {midi % 12 === 0 && <small aria-hidden="true">C{midi / 12 - 1}</small>}
          </button>
        ))}
      </div>
      <p class="note piano-help">{t.piano.help}</p>
    </div>
  );
}
