// MEI made ready for the engraver: every note gets an id that the page knows, and notes without beams get them. A worker
// has no XML parser; tags are all that is needed here, so they are read one by one.

import { addBeams } from "./beams";

export interface Tag {
  name: string;
  /** As written, without the angle brackets; empty for the text between tags. */
  text: string;
  opens: boolean;
  closes: boolean;
}

const kTag = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+/g;

export function tags(mei: string): Tag[] {
  const result: Tag[] = [];
  for (const [text] of mei.matchAll(kTag)) {
    const found = /^<(\/?)([A-Za-z_][\w:.-]*)/.exec(text);
    result.push({
      name: found?.[2] ?? "",
      text,
      opens: Boolean(found) && !found?.[1],
      closes: Boolean(found) && (Boolean(found?.[1]) || text.endsWith("/>")),
    });
  }
  return result;
}

export function attribute(tag: Tag, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag.text);
  return found?.[1] ?? found?.[2] ?? "";
}

function withId(tag: Tag, id: string): void {
  const bare = tag.text.replace(/\sxml:id\s*=\s*(?:"[^"]*"|'[^']*')/, "");
  tag.text = bare.replace(/^<[\w:.-]+/, (start) => `${start} xml:id="${id}"`);
}

export interface Sounding {
  ids: string[];
  /** The same number for the notes of one chord. */
  event: number;
  grace: boolean;
  /** Which note of the melody it is, where the server says so in its ids: `n7`, and `n7-2` for what is tied to it. */
  index: number | null;
}

export interface Prepared {
  mei: string;
  /** Ids of the written notes of each note that sounds, in order: a tied note is one that is written twice. */
  sounding: Sounding[];
}

const pitch = (tag: Tag): string => attribute(tag, "pname") + attribute(tag, "oct");

/** A melody typed without a clef is read as if in the treble clef, and shown in it. */
function giveClef(all: readonly Tag[]): void {
  if (all.some((tag) => tag.name === "clef" || attribute(tag, "clef.shape"))) return;
  const staff = all.find((tag) => tag.name === "staffDef" && tag.opens);
  if (staff) staff.text = staff.text.replace(/^<staffDef/, '<staffDef clef.shape="G" clef.line="2"');
}

/** Ids are `prefix` and a number. Slurs and ties that refer to old ids are beyond an incipit and are left out. */
export function prepare(mei: string, prefix: string): Prepared {
  const all = tags(mei);
  const sounding: Sounding[] = [];
  const open = new Map<string, Sounding>();
  const named = new Map<string, string>();
  const tieStarts = new Set(
    all.filter((tag) => tag.name === "tie" && tag.opens).map((tag) => attribute(tag, "endid").replace(/^#/, "")),
  );
  let chord = false;
  let tieOfChord = "";
  let event = 0;
  let next = 0;
  for (const tag of all) {
    if (tag.name === "chord") {
      chord = tag.opens;
      tieOfChord = attribute(tag, "tie");
      ++event;
    }
    if (tag.name !== "note" || !tag.opens) continue;
    const old = attribute(tag, "xml:id");
    const id = `${prefix}${next++}`;
    withId(tag, id);
    if (old) named.set(old, id);
    const grace = attribute(tag, "grace") !== "";
    const said = /^n(\d+)(?:-\d+)?$/.exec(old);
    const index = said ? Number(said[1]) : null;
    if (!chord) ++event;
    const tie = attribute(tag, "tie") || tieOfChord;
    const before = open.get(pitch(tag));
    const goesOn = !grace && before && (/[mt]/.test(tie) || tieStarts.has(old));
    if (goesOn) before.ids.push(id);
    else sounding.push({ ids: [id], event, grace, index });
    if (!grace && !goesOn) open.set(pitch(tag), sounding.at(-1) as Sounding);
  }
  for (const tag of all) {
    if (!/\s(startid|endid|plist)=/.test(tag.text)) continue;
    tag.text = tag.text.replace(/#([\w.-]+)/g, (whole, old: string) => (named.has(old) ? `#${named.get(old)}` : whole));
  }
  giveClef(all);
  return { mei: addBeams(all), sounding };
}

const topsOf = (sounding: readonly Sounding[]): Sounding[] =>
  sounding.filter((one, i) => i === 0 || one.event !== sounding[i - 1]?.event);

/**
 * Which ids belong to each note of the melody. If the paper does not say, the order does: the melody has its grace notes
 * or not, and of a chord every note or the highest alone, which is written first. Whichever fits the number is meant.
 */
export function idsOfNotes(sounding: readonly Sounding[], notes: number): string[][] {
  if (sounding.some(({ index }) => index !== null)) {
    const result: string[][] = Array.from({ length: notes }, () => []);
    for (const { ids, index } of sounding) if (index !== null) result[index]?.push(...ids);
    return result;
  }
  const plain = sounding.filter(({ grace }) => !grace);
  const fits = [plain, sounding, topsOf(plain), topsOf(sounding)].find(({ length }) => length === notes);
  return (fits ?? plain).slice(0, notes).map(({ ids }) => ids);
}
