// Two melodies as one piece of MEI with two staves. Every column is a measure without a bar line, so notes that belong
// together begin together, whatever their lengths; a gap is a measure with nothing in it.

import { attribute, tags } from "../../shared/engrave/mei";
import { fraction, type TimedNote } from "../../shared/playback/schedule";
import type { Note } from "../api";
import { spell } from "../pae/typing";
import type { Column } from "./columns";

interface Shape {
  dur: string;
  dots: string;
}

/** Length of each note as it is written; of a tied note that of its first part. */
function shapesOf(mei: string): Map<number, Shape> {
  const result = new Map<number, Shape>();
  for (const tag of tags(mei)) {
    const index = tag.name === "note" && tag.opens ? /^n(\d+)$/.exec(attribute(tag, "xml:id")) : null;
    if (index) result.set(Number(index[1]), { dur: attribute(tag, "dur") || "4", dots: attribute(tag, "dots") });
  }
  return result;
}

const kAccidentals = ["ff", "f", "", "s", "x"];
// Not by colour alone: what differs has a sign under it.
const kSigns: Record<Column["kind"], string> = { same: "", changed: "≠", query: "+", document: "+" };

function note(id: number, midi: number, shape: Shape | undefined, sign: string): string {
  const { name, alteration, octave } = spell(midi, 0);
  const accid = kAccidentals[alteration + 2];
  const verse = sign && `<verse n="1"><syl>${sign}</syl></verse>`;
  return `<note xml:id="n${id}" dur="${shape?.dur ?? "4"}"${shape?.dots ? ` dots="${shape.dots}"` : ""} pname="${name.toLowerCase()}" oct="${octave}"${accid ? ` accid="${accid}"` : ""}>${verse}</note>`;
}

export interface Side {
  mei: string;
  notes: readonly Note[];
}

export interface TwoStaves {
  mei: string;
  /** Of each note on the paper, in the order of its id, the kind of its column. */
  kinds: Column["kind"][];
  /** Both melodies in time with each other, to be played. */
  sounds: TimedNote[];
}

const clefOf = (pitches: readonly number[]): string => {
  const middle = [...pitches].sort((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 69;
  return middle < 57 ? 'clef.shape="F" clef.line="4"' : 'clef.shape="G" clef.line="2"';
};

/** The query stands above, moved by so many semitones. */
export function twoStaves(columns: readonly Column[], query: Side, document: Side, by: number): TwoStaves {
  const shapes = [shapesOf(query.mei), shapesOf(document.mei)] as const;
  const kinds: Column["kind"][] = [];
  const sounds: TimedNote[] = [];
  let onset = 0;
  const measures = columns.map(({ query: q, document: d, kind }, i) => {
    const upper = q === null ? undefined : query.notes[q];
    const lower = d === null ? undefined : document.notes[d];
    const layer = (side: 0 | 1, one: Note | undefined, index: number | null): string => {
      if (!one || index === null) return '<space dur="4" />';
      const midi = one.midi + (side === 0 ? by : 0);
      sounds.push({ onset, duration: fraction(one.duration), midi });
      kinds.push(kind);
      return note(kinds.length - 1, midi, shapes[side].get(index), (kind === "changed") === (side === 1) || kind !== "changed" ? kSigns[kind] : "");
    };
    const staves = [layer(0, upper, q), layer(1, lower, d)];
    onset += Math.max(upper ? fraction(upper.duration) : 0, lower ? fraction(lower.duration) : 0);
    const right = i === columns.length - 1 ? "end" : "invis";
    return `<measure n="${i + 1}" right="${right}" metcon="false">${staves.map((text, n) => `<staff n="${n + 1}"><layer n="1">${text}</layer></staff>`).join("")}</measure>`;
  });
  const clefs = [clefOf(query.notes.map(({ midi }) => midi + by)), clefOf(document.notes.map(({ midi }) => midi))];
  const staves = clefs.map((clef, n) => `<staffDef n="${n + 1}" lines="5" ${clef} />`).join("");
  const mei = `<?xml version="1.0" encoding="UTF-8"?><mei xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.0"><meiHead><fileDesc><titleStmt><title /></titleStmt><pubStmt /></fileDesc></meiHead><music><body><mdiv><score><scoreDef><staffGrp symbol="bracket">${staves}</staffGrp></scoreDef><section>${measures.join("")}</section></score></mdiv></body></music></mei>`;
  return { mei, kinds, sounds };
}
