// Beams for music that has none: neighbours shorter than a quarter that lie in one beat are joined. Music that comes with
// beams, or without a time signature, stays as it is.

import { attribute, type Tag } from "./mei";

interface Metre {
  bar: number;
  beat: number;
}

interface Item {
  /** The range of tags, last included. */
  from: number;
  to: number;
  length: number;
  beamable: boolean;
  grace: boolean;
}

function metreOf(tag: Tag, current: Metre | null): Metre | null {
  const count = Number(attribute(tag, "count")) || Number(attribute(tag, "meter.count"));
  const unit = Number(attribute(tag, "unit")) || Number(attribute(tag, "meter.unit"));
  if (!count || !unit) return current;
  const compound = unit >= 8 && count % 3 === 0;
  return { bar: count / unit, beat: compound ? 3 / unit : Math.max(1 / 4, 1 / unit) };
}

function lengthOf(tag: Tag): number {
  const written = attribute(tag, "dur");
  const whole = written === "breve" ? 2 : written === "long" ? 4 : 1 / (Number(written) || 4);
  const dots = Number(attribute(tag, "dots")) || 0;
  return whole * (2 - 2 ** -dots);
}

const kEvents = ["note", "chord", "rest", "space", "mRest"];

/** The tag that closes the element begun at `from`. */
function endOf(all: readonly Tag[], from: number): number {
  if (all[from]?.closes) return from;
  for (let i = from + 1; i < all.length; ++i) {
    const tag = all[i] as Tag;
    if (tag.name === all[from]?.name && tag.closes && !tag.opens) return i;
  }
  return all.length - 1;
}

/** Notes, chords, rests and tuplets of a layer, in order; null if there is something that this does not know. */
function itemsOf(all: readonly Tag[], from: number, to: number): Item[] | null {
  const items: Item[] = [];
  for (let i = from; i <= to; ++i) {
    const tag = all[i] as Tag;
    if (!tag.name) continue;
    const end = endOf(all, i);
    if (tag.name === "graceGrp") items.push({ from: i, to: end, length: 0, beamable: false, grace: true });
    else if (tag.name === "tuplet") {
      const inside = itemsOf(all, i + 1, end - 1);
      if (!inside) return null;
      const scale = (Number(attribute(tag, "numbase")) || 2) / (Number(attribute(tag, "num")) || 3);
      const length = scale * inside.reduce((sum, one) => sum + one.length, 0);
      items.push({ from: i, to: end, length, beamable: false, grace: false });
    } else if (kEvents.includes(tag.name)) {
      const grace = attribute(tag, "grace") !== "";
      const short = Number(attribute(tag, "dur")) >= 8 && (tag.name === "note" || tag.name === "chord");
      items.push({ from: i, to: end, length: grace ? 0 : lengthOf(tag), beamable: short && !grace, grace });
    } else if (!["clef", "barLine", "keySig", "meterSig"].includes(tag.name)) return null;
    i = end;
  }
  return items;
}

/** Marks the first and the last tag of every group that gets a beam. */
function group(items: readonly Item[], start: number, beat: number, begins: Set<number>, ends: Set<number>): void {
  let at = start;
  let run: Item[] = [];
  let runBeat = -1;
  const flush = () => {
    while (run.at(-1)?.grace) run.pop();
    const [first] = run;
    const last = run.at(-1);
    if (first && last && run.filter((one) => one.beamable).length > 1) {
      begins.add(first.from);
      ends.add(last.to);
    }
    run = [];
  };
  for (const item of items) {
    const now = Math.floor(at / beat + 1e-9);
    if (!item.grace && (!item.beamable || now !== runBeat)) flush();
    if (item.beamable || (item.grace && run.length > 0)) run.push(item);
    if (!item.grace) runBeat = now;
    at += item.length;
  }
  flush();
}

export function addBeams(all: readonly Tag[]): string {
  const begins = new Set<number>();
  const ends = new Set<number>();
  let metre: Metre | null = null;
  let bars = 0;
  const beamed = all.some((tag) => tag.name === "beam");
  for (let i = 0; i < all.length && !beamed; ++i) {
    const tag = all[i] as Tag;
    if (!tag.opens) continue;
    if (["meterSig", "scoreDef", "staffDef"].includes(tag.name)) metre = metreOf(tag, metre);
    if (tag.name === "measure") ++bars;
    if (tag.name !== "layer" || !metre || tag.closes) continue;
    const items = itemsOf(all, i + 1, endOf(all, i) - 1);
    if (!items) continue;
    const length = items.reduce((sum, one) => sum + one.length, 0);
    // The first bar may be an upbeat: it ends with the bar, wherever it begins.
    const start = bars === 1 && length < metre.bar ? metre.bar - length : 0;
    group(items, start, metre.beat, begins, ends);
    for (const item of items) {
      if (all[item.from]?.name !== "tuplet") continue;
      const inside = itemsOf(all, item.from + 1, item.to - 1) ?? [];
      group(inside, 0, Number.POSITIVE_INFINITY, begins, ends);
    }
  }
  return all.map((tag, i) => (begins.has(i) ? "<beam>" : "") + tag.text + (ends.has(i) ? "</beam>" : "")).join("");
}
