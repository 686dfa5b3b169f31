// The staff of the query as something one writes on: a click adds a note, a note can be chosen, moved, lengthened, deleted.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { NoteElements } from "../../shared/engrave/place";
import { Score } from "../../shared/engrave/score";
import { Icon } from "../../shared/parts/icon";
import { strike } from "../../shared/playback/player";
import type { Query } from "../api";
import { insertAt, lengthen, lowestLine, midiOf, moveBySemitones, moveBySteps, readTune, remove, soundingSigns, writeTune, type NoteSign, type Tune } from "../pae/tune";
import { t } from "../texts";
import { nameOfNote, nameOfLength } from "./names";

interface Props {
  /** The line of Plaine & Easie; null where the melody is not written as one. */
  text: string | null;
  query: Query | null;
  matched: readonly number[];
  playing: string;
  clef: string;
  /** The length that a new note gets. */
  length: string;
  edit: (text: string) => void;
  undo: () => void;
  redo: () => void;
  quiet: boolean;
}

interface Lines {
  top: number;
  /** Between two lines, in pixels. */
  gap: number;
}

const kReach = 6; // so many lines above and below the staff are written on
const kNear = 1.3; // gaps: as near to a note as this, the note is meant

const headOf = (parts: Element[] | undefined): DOMRect | undefined => (parts?.[0]?.querySelector(".notehead") ?? parts?.[0])?.getBoundingClientRect();

function linesOf(staff: Element): Lines | null {
  const lines = [...staff.children].filter(({ tagName }) => tagName === "path").map((line) => line.getBoundingClientRect());
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last || lines.length < 2) return null;
  return { top: first.top + first.height / 2, gap: (last.top - first.top) / (lines.length - 1) };
}

/** The staff nearest to this height. */
function nearestStaff(box: Element, y: number): (Lines & { staff: Element }) | null {
  let best: (Lines & { staff: Element }) | null = null;
  const away = ({ top, gap }: Lines): number => Math.abs(y - (top + 2 * gap));
  for (const staff of box.querySelectorAll("g.staff, .empty-staff")) {
    const rect = staff.getBoundingClientRect();
    const lines = staff.matches(".empty-staff") ? { top: rect.top + 0.5, gap: (rect.height - 1) / 4 } : linesOf(staff);
    if (lines && (!best || away(lines) < away(best))) best = { ...lines, staff };
  }
  return best;
}

interface Spot extends Lines {
  /** Lines and spaces above the lowest line. */
  step: number;
  staff: Element;
}

function spotAt(box: Element, y: number): Spot | null {
  const staff = nearestStaff(box, y);
  if (!staff) return null;
  const step = Math.round((staff.top + 4 * staff.gap - y) / (staff.gap / 2));
  return step < -2 * kReach || step > 8 + 2 * kReach ? null : { ...staff, step };
}

function Tools({ act, undo, redo, chosen }: { act: (action: string) => void; undo: () => void; redo: () => void; chosen: boolean }): JSX.Element {
  const tool = (name: "up" | "down" | "sharper" | "flatter" | "shorter" | "longer" | "remove", sign: JSX.Element | string) => (
    <button type="button" class="tool" title={t.staff[name]} disabled={!chosen} onClick={() => act(name)}>
      <span aria-hidden="true">{sign}</span>
      <span class="hidden">{t.staff[name]}</span>
    </button>
  );
  return (
    <div class="tools edit-tools" role="group" aria-label={t.staff.tools}>
      {tool("up", <Icon name="up" />)}
      {tool("down", <Icon name="down" />)}
      {tool("sharper", "♯")}
      {tool("flatter", "♭")}
      {tool("shorter", "−")}
      {tool("longer", "+")}
      {tool("remove", <Icon name="close" />)}
      <button type="button" class="tool wide" onClick={undo}>
        {t.staff.undo}
      </button>
      <button type="button" class="tool wide" onClick={redo}>
        {t.staff.redo}
      </button>
    </div>
  );
}

export function Staff({ text, query, matched, playing, clef, length, edit, undo, redo, quiet }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const [elements, setElements] = useState<NoteElements>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [touched, setTouched] = useState(false);
  const dragged = useRef<{ from: number; by: number; gap: number } | null>(null);
  const moved = useRef(false);
  const tune: Tune | null = text === null ? null : readTune(text);
  const sounding = tune ? soundingSigns(tune) : [];
  const at = chosen === null ? undefined : sounding[chosen];
  const sign = at && (tune?.signs[at[0] ?? -1] as NoteSign | undefined);
  // The picture follows the text a moment later; until then its notes are those of before.
  const fresh = elements.length === sounding.length;

  useEffect(() => {
    if (chosen !== null && chosen >= sounding.length) setChosen(sounding.length > 0 ? sounding.length - 1 : null);
  }, [sounding.length, chosen]);
  useEffect(() => {
    elements.forEach((parts, i) => {
      for (const part of parts) part.classList.toggle("chosen", i === chosen);
    });
  }, [elements, chosen]);

  const change = (next: Tune, select: number | null = chosen) => {
    setTouched(true);
    setChosen(select);
    edit(writeTune(next));
    const now = select === null ? undefined : next.signs[soundingSigns(next)[select]?.[0] ?? -1];
    if (now?.kind === "note") strike(midiOf(now));
  };
  const act = (action: string) => {
    if (!tune || !at) return;
    if (action === "up" || action === "down") change(moveBySteps(tune, at, action === "up" ? 1 : -1));
    else if (action === "sharper" || action === "flatter") change(moveBySemitones(tune, at, action === "sharper" ? 1 : -1));
    else if (action === "longer" || action === "shorter") change(lengthen(tune, at, action === "longer" ? 1 : -1));
    else change(remove(tune, at), sounding.length > 1 ? Math.max(0, (chosen ?? 1) - 1) : null);
  };

  const noteNear = (x: number, y: number, gap: number): number => {
    let best = -1;
    let nearest = kNear * gap;
    elements.forEach((parts, i) => {
      const head = headOf(parts);
      if (!head) return;
      const away = Math.hypot(x - (head.left + head.width / 2), y - (head.top + head.height / 2));
      if (away < nearest) {
        nearest = away;
        best = i;
      }
    });
    return best;
  };

  const hide = () => {
    if (ghost.current) ghost.current.hidden = true;
  };
  const hover = (event: PointerEvent) => {
    if (!box.current || !tune || event.pointerType === "touch") return;
    if (dragged.current) {
      dragged.current.by = Math.round((dragged.current.from - event.clientY) / (dragged.current.gap / 2));
    }
    const spot = spotAt(box.current, event.clientY);
    const mark = ghost.current;
    if (!spot || !mark) return hide();
    const onNote = noteNear(event.clientX, event.clientY, spot.gap) >= 0;
    box.current.classList.toggle("on-note", onNote);
    if (onNote && !dragged.current) return hide();
    const around = box.current.getBoundingClientRect();
    mark.hidden = false;
    mark.style.width = `${spot.gap * 1.25}px`;
    mark.style.height = `${spot.gap * 0.9}px`;
    const x = event.clientX - around.left - spot.gap * 0.6;
    const y = spot.top + (8 - spot.step) * (spot.gap / 2) - around.top - spot.gap * 0.45;
    mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  };

  const down = (event: PointerEvent) => {
    if (!box.current || event.button !== 0 || event.pointerType === "touch" || !fresh) return;
    const spot = spotAt(box.current, event.clientY);
    const note = spot ? noteNear(event.clientX, event.clientY, spot.gap) : -1;
    if (!spot || note < 0) return;
    setChosen(note);
    setTouched(true);
    moved.current = false;
    dragged.current = { from: event.clientY, by: 0, gap: spot.gap };
  };
  const up = () => {
    const drag = dragged.current;
    dragged.current = null;
    hide();
    if (!drag || drag.by === 0 || !tune || !at) return;
    moved.current = true;
    change(moveBySteps(tune, at, drag.by));
  };

  /** A click that is on no note writes one. */
  const click = (event: MouseEvent) => {
    // The browser calls the end of a drag a click, too.
    const dragEnds = moved.current;
    moved.current = false;
    if (!box.current || !tune || !fresh || dragEnds) return;
    const spot = spotAt(box.current, event.clientY);
    if (!spot) return;
    const note = noteNear(event.clientX, event.clientY, spot.gap);
    if (note >= 0) {
      setChosen(note);
      setTouched(true);
      return;
    }
    const staves = [...box.current.querySelectorAll("g.staff")];
    const here = staves.indexOf(spot.staff);
    const next = elements.findIndex((parts) => {
      const staff = staves.indexOf(parts[0]?.closest("g.staff") as Element);
      const head = headOf(parts);
      // One system after the other, and within one from left to right.
      return staff >= 0 && head && (spot.staff.contains(parts[0] as Element) || sameSystem(spot.staff, staves[staff]) ? head.left + head.width / 2 > event.clientX : staff > here);
    });
    const before = next < 0 ? tune.signs.length : (sounding[next]?.[0] ?? tune.signs.length);
    change(insertAt(tune, before, lowestLine(clef) + spot.step, length), next < 0 ? sounding.length : next);
  };

  const keyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || !tune) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
      return;
    }
    if (command || event.altKey) return;
    const last = sounding.length - 1;
    const select: Record<string, number> = { ArrowRight: Math.min(last, (chosen ?? -1) + 1), ArrowLeft: Math.max(0, (chosen ?? last + 1) - 1), Home: 0, End: last };
    const acts: Record<string, string> = { "+": "longer", "=": "longer", "-": "shorter", Delete: "remove", Backspace: "remove" };
    const vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    const wanted = select[event.key];
    if (wanted !== undefined && last >= 0) setChosen(wanted);
    else if (vertical && at && event.shiftKey) change(moveBySemitones(tune, at, event.key === "ArrowUp" ? 1 : -1));
    else if (vertical && at) act(event.key === "ArrowUp" ? "up" : "down");
    else if (acts[event.key] && at) act(acts[event.key] ?? "");
    else return;
    setTouched(true);
    event.preventDefault();
  };

  const score = query?.mei ? (
    <Score mei={query.mei} notes={query.notes.length} matched={matched} scale={52} urgent label={t.query.score(query.notes.length)} playing={playing} ready={(_, all) => setElements(all)} />
  ) : (
    <>
      <div class="empty-staff" />
      {quiet && <p class="empty-hint">{t.query.empty}</p>}
    </>
  );
  useEffect(() => {
    if (!query?.mei) setElements([]);
  }, [query?.mei]);
  if (!tune) {
    return (
      <div class="staff-box fixed">
        {score}
        {query?.mei && text !== null && !query.warnings?.length && <p class="note">{t.staff.fixed}</p>}
      </div>
    );
  }
  return (
    <div class="staff-box">
      <div
        class="staff-paper"
        ref={box}
        role="group"
        tabIndex={0}
        aria-label={t.staff.label}
        onKeyDown={keyDown}
        onPointerMove={hover}
        onPointerLeave={() => {
          dragged.current = null;
          hide();
        }}
        onPointerDown={down}
        onPointerUp={up}
        onClick={click}
      >
        {score}
        <div class="ghost" ref={ghost} hidden aria-hidden="true" />
      </div>
      <p class="hidden" role="status">
        {sign && chosen !== null && t.staff.selected(chosen + 1, nameOfNote(sign), nameOfLength(sign.length))}
      </p>
      {touched && <Tools act={act} undo={undo} redo={redo} chosen={Boolean(at)} />}
    </div>
  );
}

const sameSystem = (one: Element, other: Element | undefined): boolean => Boolean(other && one.closest("g.system") && one.closest("g.system") === other.closest("g.system"));
