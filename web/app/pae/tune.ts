// A melody as a list of signs that can be moved, lengthened and deleted one by one, read from the line of Plaine & Easie
// and written back to it. Only what an editor of single notes can keep whole is read: ornaments, tuplets, chords and
// abbreviations make the answer null, and the line stays as it was typed.

import { alterations, fifths, splitLine, withSignature } from "./header";
import { octaveMarks, octaveOf, tokens } from "./scan";
import { spell, type Spelled } from "./typing";

export interface NoteSign extends Spelled {
  kind: "note";
  /** The figure of Plaine & Easie with its dots: "4", "8.". */
  length: string;
  tied: boolean;
}

export type Sign = NoteSign | { kind: "rest"; length: string } | { kind: "bar"; text: string };

export interface Tune {
  /** Clef, key and time as they stand before the notes. */
  head: string;
  key: string;
  signs: Sign[];
}

const kAlterations: Record<string, number> = { n: 0, x: 1, xx: 2, b: -1, bb: -2 };
const kMarks = ["bb", "b", "n", "x", "xx"];
const kNatural: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const kNames = "CDEFGAB";

export const midiOf = ({ name, alteration, octave }: Spelled): number => 12 * (octave + 1) + (kNatural[name] ?? 0) + alteration;

export function readTune(text: string): Tune | null {
  const line = splitLine(text);
  const { key } = line.signature;
  const ofKey = alterations(key);
  const signs: Sign[] = [];
  let octave = 4;
  let lengths = ["4"];
  let turn = 0;
  let inBar = new Map<string, number>();
  const nextLength = (): string => lengths[turn++ % lengths.length] ?? "4";
  for (const { kind, text: said } of tokens(line.notes)) {
    if (kind === "octave") octave = octaveOf(said);
    else if (kind === "lengths") {
      lengths = said.match(/\d\.*/g) ?? ["4"];
      turn = 0;
      if (lengths.some((length) => !/^[123468]\.{0,2}$/.test(length))) return null;
    } else if (kind === "note") {
      const name = said.slice(-1);
      const mark = said.slice(0, -1);
      if (mark) inBar.set(name, kAlterations[mark] ?? 0);
      signs.push({ kind, name, alteration: inBar.get(name) ?? ofKey.get(name) ?? 0, octave, length: nextLength(), tied: false });
    } else if (kind === "rest") signs.push({ kind, length: nextLength() });
    else if (kind === "bar") {
      signs.push({ kind, text: said });
      inBar = new Map();
    } else if (kind === "mark" && said === "+") {
      const last = signs.at(-1);
      if (last?.kind === "note") last.tied = true;
    } else if (kind !== "mark" || !/[\s{}]/.test(said)) return null;
  }
  return { head: line.head, key, signs };
}

export function writeTune({ head, key, signs }: Tune): string {
  const ofKey = alterations(key);
  let inBar = new Map<string, number>();
  let octave: number | null = null;
  let length = "";
  let notes = "";
  let tied: NoteSign | null = null;
  for (const sign of signs) {
    if (sign.kind === "bar") {
      notes += sign.text;
      inBar = new Map();
      continue;
    }
    if (sign.kind === "note" && sign.octave !== octave) {
      notes += octaveMarks(sign.octave);
      octave = sign.octave;
    }
    if (sign.length !== length) {
      notes += sign.length;
      length = sign.length;
    }
    if (sign.kind === "rest") {
      notes += "-";
      tied = null;
      continue;
    }
    const inForce: number = inBar.get(sign.name) ?? ofKey.get(sign.name) ?? 0;
    if (sign.alteration !== inForce) {
      notes += kMarks[sign.alteration + 2] ?? "";
      inBar.set(sign.name, sign.alteration);
    }
    notes += sign.name + (sign.tied ? "+" : "");
    tied = sign.tied ? sign : null;
  }
  if (tied) notes = notes.replace(/\+$/, "");
  return head && !/\s$/.test(head) ? `${head} ${notes}` : head + notes;
}

/** For each note that sounds, the signs that write it: several if it is tied. */
export function soundingSigns(tune: Tune): number[][] {
  const result: number[][] = [];
  let open = false;
  tune.signs.forEach((sign, i) => {
    if (sign.kind === "bar") return;
    if (sign.kind === "note") {
      if (open) result.at(-1)?.push(i);
      else result.push([i]);
    }
    open = sign.kind === "note" && sign.tied;
  });
  return result;
}

const changed = (tune: Tune, at: readonly number[], change: (sign: NoteSign) => NoteSign): Tune => ({
  ...tune,
  signs: tune.signs.map((sign, i) => (at.includes(i) && sign.kind === "note" ? change(sign) : sign)),
});

const kLowest = 12;
const kHighest = 119;

/** So many lines and spaces up or down, with the alterations of the key. */
export function moveBySteps(tune: Tune, at: readonly number[], by: number): Tune {
  const ofKey = alterations(tune.key);
  return changed(tune, at, (sign) => {
    const place = 7 * sign.octave + kNames.indexOf(sign.name) + by;
    const name = kNames.charAt(((place % 7) + 7) % 7);
    const moved = { ...sign, name, octave: Math.floor(place / 7), alteration: ofKey.get(name) ?? 0 };
    return midiOf(moved) < kLowest || midiOf(moved) > kHighest ? sign : moved;
  });
}

export function moveBySemitones(tune: Tune, at: readonly number[], by: number): Tune {
  return changed(tune, at, (sign) => {
    const midi = midiOf(sign) + by;
    return midi < kLowest || midi > kHighest ? sign : { ...sign, ...spell(midi, fifths(tune.key)) };
  });
}

// From short to long.
const kLengths = ["3", "6", "6.", "8", "8.", "4", "4.", "2", "2.", "1"];

/** The next length, of the last sign where a note is tied. */
export function lengthen(tune: Tune, at: readonly number[], by: 1 | -1): Tune {
  return changed(tune, at.slice(-1), (sign) => {
    const now = kLengths.indexOf(sign.length);
    const next = kLengths[(now < 0 ? 5 : now) + by];
    return next ? { ...sign, length: next } : sign;
  });
}

export const withLength = (tune: Tune, at: readonly number[], length: string): Tune => changed(tune, at.slice(-1), (sign) => ({ ...sign, length }));

export function remove(tune: Tune, at: readonly number[]): Tune {
  const [first = 0] = at;
  return {
    ...tune,
    // What was tied to a note that goes is tied to nothing.
    signs: tune.signs.map((sign, i) => (i < first && sign.kind === "note" && sign.tied && !tune.signs.slice(i + 1, first).some(({ kind }) => kind !== "bar") ? { ...sign, tied: false } : sign)).filter((_, i) => !at.includes(i)),
  };
}

/** A note in front of sign `before`, or at the end; `place` counts lines and spaces from C0. */
export function insertAt(tune: Tune, before: number, place: number, length: string): Tune {
  const name = kNames.charAt(((place % 7) + 7) % 7);
  const alteration = alterations(tune.key).get(name) ?? 0;
  const sign: Sign = { kind: "note", name, alteration, octave: Math.floor(place / 7), length, tied: false };
  return { ...tune, signs: [...tune.signs.slice(0, before), sign, ...tune.signs.slice(before)] };
}

const kFigures: Record<number, string> = { 1: "6", 2: "8", 3: "8.", 4: "4", 6: "4.", 8: "2", 12: "2.", 16: "1" };

/** What was played, under the clef, key and time of a line. */
export function tuneOf(line: string, written: readonly { midi: number | null; sixteenths: number }[]): Tune {
  const { head, signature } = splitLine(withSignature(line, {}));
  const sharps = fifths(signature.key);
  return {
    head,
    key: signature.key,
    signs: written.map(({ midi, sixteenths }) => {
      const length = kFigures[sixteenths] ?? "4";
      return midi === null ? { kind: "rest", length } : { kind: "note", ...spell(midi, sharps), length, tied: false };
    }),
  };
}

// Steps from C0 of the note that gives a clef its name.
const kClefs: Record<string, number> = { G: 4 * 7 + 4, g: 3 * 7 + 4, C: 4 * 7, F: 3 * 7 + 3 };

/** The lowest line of the staff, in lines and spaces from C0. */
export function lowestLine(clef: string): number {
  const [, letter = "G", line = "2"] = /^([GgCF])[-+]?(\d)/.exec(clef) ?? [];
  return (kClefs[letter] ?? 32) - 2 * (Number(line) - 1);
}
