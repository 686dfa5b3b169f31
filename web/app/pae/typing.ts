// Notes played on a keyboard become Plaine & Easie, as a person would have typed it: octave, length and accidental are
// written only where they change, and what follows the caret keeps its meaning.

import { fifths, splitLine } from "./header";
import { octaveMarks, sticky, tokens, type Sticky } from "./scan";

export interface Text {
  text: string;
  caret: number;
}

export interface Length {
  /** The figure: 1 whole, 2 half, 4 quarter, 8 eighth, 6 sixteenth, 3 thirty-second. */
  figure: string;
  dotted: boolean;
}

const kNames = "FCGDAEB";
const kNatural: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const kSigns = ["bb", "b", "n", "x", "xx"];

export interface Spelled {
  name: string;
  alteration: number;
  octave: number;
}

/**
 * The usual spelling in a key: of the twelve neighbours on the line of fifths from the flat third to the sharp fifth, the
 * one that sounds right. In C: C, C sharp, D, E flat, E, F, F sharp, G, G sharp, A, B flat, B.
 */
export function spell(midi: number, sharps: number): Spelled {
  const lowest = sharps - 3;
  const place = lowest + ((((midi * 7 - lowest) % 12) + 12) % 12);
  const name = kNames.charAt((((place + 1) % 7) + 7) % 7);
  const alteration = Math.floor((place + 1) / 7);
  const octave = Math.floor((midi - alteration - (kNatural[name] ?? 0)) / 12) - 1;
  return { name, alteration, octave };
}

const lengthText = ({ figure, dotted }: Length): string => figure + (dotted ? "." : "");

/** Octave and length, where they are not yet in force. Both are always written before the first note. */
function prefix(state: Sticky, octave: number | null, length: string, first: boolean): string {
  const marks = octave !== null && (first || octave !== state.octave) ? octaveMarks(octave) : "";
  const same = state.lengths.length === 1 && state.lengths[0] === length;
  return marks + (same ? "" : length);
}

/** Before any length is written, notes are quarters. */
const lengthsOf = (state: Sticky): string => state.lengths.join("") || "4";

/** What must stand after the inserted text so that the next note keeps its octave and length. */
function restored(before: Sticky, after: Sticky, rest: string): string {
  let octave = "";
  let lengths = "";
  let needsOctave = before.octave !== after.octave;
  const length = lengthsOf(before);
  let needsLength = length !== lengthsOf(after);
  for (const { kind } of tokens(rest)) {
    if (kind === "octave") needsOctave = false;
    if (kind === "lengths") needsLength = false;
    if (kind === "rest" && needsLength) lengths = length;
    if (kind === "note") {
      if (needsOctave) octave = octaveMarks(before.octave);
      if (needsLength) lengths = length;
    }
    if (kind === "note" || (!needsOctave && !needsLength)) break;
  }
  return octave + lengths;
}

function insert(text: string, caret: number, make: (state: Sticky, first: boolean, key: string) => string): Text {
  const line = splitLine(text);
  const at = Math.max(0, Math.min(caret, text.length) - line.head.length);
  const left = line.notes.slice(0, at);
  const right = line.notes.slice(at);
  const { key } = line.signature;
  const before = sticky(left, key);
  const first = !tokens(left).some(({ kind }) => kind === "octave" || kind === "note");
  const added = make(before, first, key);
  const tail = restored(before, sticky(left + added, key), right);
  const head = line.head && !/\s$/.test(line.head) ? `${line.head} ` : line.head;
  return { text: head + left + added + tail + right, caret: (head + left + added).length };
}

export function insertNote(text: string, caret: number, midi: number, length: Length): Text {
  return insert(text, caret, (state, first, key) => {
    const { name, alteration, octave } = spell(midi, fifths(key));
    const inForce = state.accidentals.get(name) ?? state.key.get(name) ?? 0;
    const sign = alteration === inForce ? "" : (kSigns[alteration + 2] ?? "");
    return prefix(state, octave, lengthText(length), first) + sign + name;
  });
}

export const insertRest = (text: string, caret: number, length: Length): Text =>
  insert(text, caret, (state) => `${prefix(state, null, lengthText(length), false)}-`);

export const insertMark = (text: string, caret: number, mark: "/" | "+"): Text => insert(text, caret, () => mark);

/** Takes back what was typed last before the caret: a note with all that belongs to it, a rest, a bar line, a mark. */
export function takeBack(text: string, caret: number): Text {
  const line = splitLine(text);
  const left = tokens(line.notes.slice(0, Math.max(0, caret - line.head.length)));
  const last = left.pop();
  if (!last) return { text, caret };
  let start = last.at;
  if (last.kind === "note" || last.kind === "rest") {
    while (["octave", "lengths"].includes(left.at(-1)?.kind ?? "")) start = left.pop()?.at ?? start;
  }
  const kept = line.head + line.notes.slice(0, start);
  return { text: kept + text.slice(caret), caret: kept.length };
}
