import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { nowPlaying } from "../playback/player";
import { placeAt } from "../playback/schedule";
import { engrave, engravedBefore } from "./engraver";
import { colour, place, type NoteElements } from "./place";

interface Props {
  mei: string;
  notes: number;
  matched?: readonly number[];
  label: string;
  /** Key of the player while this melody sounds, else empty. */
  playing: string;
  scale?: number;
  urgent?: boolean;
  /** Also where nobody looks, as on paper. */
  always?: boolean;
  /** Told when the picture is there. */
  ready?: (svg: SVGSVGElement, elements: NoteElements) => void;
}

const kStep = 40; // Widths are rounded, so that a small change of the window does not engrave everything anew.

// On a phone a line should hold more than one bar.
const kNarrow = 440;
const kNarrowScale = 36;

const paperWidth = (box: Element): number => Math.max(240, Math.floor(box.clientWidth / kStep) * kStep);

const kOver = 14; // The cursor goes so many pixels beyond the staff, above and below.

/** Where the five lines lie on which a note stands. */
function staffOf(note: Element | undefined): { top: number; height: number } | undefined {
  const lines = [...(note?.closest("g.staff")?.children ?? [])].filter(({ tagName }) => tagName === "path");
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return undefined;
  const top = Math.round(first.getBoundingClientRect().top);
  return { top, height: last.getBoundingClientRect().bottom - top };
}

/** Moves the cursor with the music until it stops or the picture goes. */
function follow(box: HTMLElement, cursor: HTMLElement, elements: NoteElements, key: string): () => void {
  let frame = 0;
  let last: Element[] = [];
  const around = box.getBoundingClientRect();
  const boxes = elements.map((parts) => parts[0]?.getBoundingClientRect());
  const staves = elements.map((parts) => staffOf(parts[0]));
  const mark = (parts: Element[]) => {
    if (parts === last) return;
    for (const part of last) part.classList.remove("sounding");
    for (const part of parts) part.classList.add("sounding");
    last = parts;
  };
  const step = () => {
    frame = requestAnimationFrame(step);
    const now = nowPlaying();
    if (now?.key !== key) return;
    const { index, part } = placeAt(now.sounds, now.time());
    const note = now.sounds[index]?.note ?? -1;
    const here = boxes[note];
    if (!here) return;
    mark(elements[note] ?? []);
    const next = boxes[now.sounds[index + 1]?.note ?? -1];
    const staff = staves[note];
    const sameLine = next && next.left > here.left && staves[now.sounds[index + 1]?.note ?? -1]?.top === staff?.top;
    const x = here.left + here.width / 2 + (sameLine ? (next.left - here.left) * part : 0) - around.left;
    const top = (staff?.top ?? here.top) - around.top - kOver;
    cursor.style.transform = `translate(${x.toFixed(1)}px, ${top.toFixed(1)}px)`;
    cursor.style.height = `${(staff?.height ?? 0) + 2 * kOver}px`;
    cursor.hidden = false;
  };
  step();
  return () => {
    cancelAnimationFrame(frame);
    mark([]);
    cursor.hidden = true;
  };
}

/** Scores on the page that still wait to be seen, each with a way to draw it now. */
const waiting = new Map<object, () => Promise<void>>();

/** Draws what was never near the screen, as paper shows all of it. */
export const engraveAll = async (): Promise<void> => {
  await Promise.all([...waiting.values()].map((draw) => draw()));
};

export function Score(props: Props): JSX.Element {
  const { mei, notes, matched = [], label, playing, scale = 42, urgent = false, always = false, ready } = props;
  const box = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  // Once all staves are asked for, leaving the screen does not take this one out again: whoever prints waits for it.
  const asked = useRef(false);
  const [seen, setSeen] = useState(urgent || always);
  const [width, setWidth] = useState(0);
  const [elements, setElements] = useState<NoteElements | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const sight = new IntersectionObserver(([entry]) => setSeen(urgent || always || asked.current || Boolean(entry?.isIntersecting)), {
      rootMargin: "250px",
    });
    const size = new ResizeObserver(() => setWidth(paperWidth(element)));
    sight.observe(element);
    size.observe(element);
    return () => {
      sight.disconnect();
      size.disconnect();
    };
  }, [urgent, always]);

  useEffect(() => {
    if (!seen || width === 0 || !mei) return undefined;
    let gone = false;
    const show = (engraved: Parameters<typeof place>[0]) => {
      if (gone || !paper.current) return;
      const placed = place(engraved, paper.current, notes);
      setElements(placed);
      setFailed(false);
      const svg = paper.current.querySelector("svg");
      if (svg && ready) ready(svg, placed);
    };
    const wish = { mei, width, scale: width < kNarrow ? Math.min(scale, kNarrowScale) : scale, urgent };
    const before = engravedBefore(wish);
    if (before) show(before);
    else
      engrave(wish, () => gone).then(show, () => {
        if (!gone) setFailed(true);
      });
    return () => {
      gone = true;
    };
  }, [mei, notes, seen, width, scale, urgent]);

  useEffect(() => {
    if (elements || failed || !mei) return undefined;
    const self = {};
    let drawn: () => void = () => undefined;
    waiting.set(self, () => {
      asked.current = true;
      setSeen(true);
      return new Promise((done) => {
        drawn = done;
      });
    });
    return () => {
      waiting.delete(self);
      asked.current = false;
      drawn();
    };
  }, [elements, failed, mei]);

  useEffect(() => {
    if (elements) colour(elements, matched);
  }, [elements, matched.join()]);

  useEffect(() => {
    if (!playing || !elements || !box.current || !cursor.current) return undefined;
    return follow(box.current, cursor.current, elements, playing);
  }, [playing, elements]);

  return (
    <div class={`score${elements ? " engraved" : ""}${failed ? " failed" : ""}`} ref={box} role="img" aria-label={label}>
      <div class="paper" ref={paper} />
      <div class="cursor" ref={cursor} hidden />
    </div>
  );
}
