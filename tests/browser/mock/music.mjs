// Plaine & Easie as far as the mock needs it: notes, rests, bars, ties, triplets, graces. MEI is written in the manner of
// the real server: without ids and without beams.

const kNatural = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const kLength = { 0: 4, 9: 2, 1: 1, 2: 1 / 2, 4: 1 / 4, 8: 1 / 8, 6: 1 / 16, 3: 1 / 32 };
const kDur = { 9: "breve", 1: "1", 2: "2", 4: "4", 8: "8", 6: "16", 3: "32" };
const kSigns = { x: 1, b: -1, n: 0 };

function header(text) {
  const head = /^\s*((?:[%$@][^%$@\s]*\s*)*)/.exec(text)[0];
  const get = (mark) => new RegExp(`\\${mark}([^%$@\\s]*)`).exec(head)?.[1] ?? "";
  return { clef: get("%"), key: get("$"), time: get("@"), head };
}

const signature = (key) => new Map([...key].filter((c) => /[A-G]/.test(c)).map((c) => [c, key.startsWith("b") ? -1 : 1]));

function refused(column, text) {
  const what = text[column - 1];
  return { problem: { title: "The melody cannot be read", detail: `“${what}” is no note, rest, bar line or other sign of Plaine & Easie.`, code: "pae-unknown", column, hint: "Notes are the capital letters A to G." } };
}

/** The events of the notation: { kind, dur, dots, name, sign, alter, octave, grace, tie, third }. */
function events(text, start, key) {
  const found = [];
  let octave = 4;
  let dur = "4";
  let dots = 0;
  let third = false;
  let grace = false;
  let inBar = new Map();
  let sign = null;
  for (let i = start; i < text.length; ++i) {
    const c = text[i];
    if (c === "'" || c === ",") {
      let n = 1;
      while (text[i + 1] === c) (++i, ++n);
      octave = c === "'" ? 3 + n : 4 - n;
    } else if (c in kLength) {
      if (text[i + 1] !== "(") dur = c;
      dots = 0;
    } else if (c === ".") ++dots;
    else if (c in kSigns) sign = c;
    else if (/[A-G]/.test(c)) {
      const alter = sign !== null ? kSigns[sign] : (inBar.get(c) ?? key.get(c) ?? 0);
      if (sign !== null) inBar.set(c, alter);
      found.push({ kind: "note", dur, dots, name: c, sign, alter, octave, grace, third, tie: text[i + 1] === "+" });
      sign = null;
      grace = false;
    } else if (c === "-") found.push({ kind: "rest", dur, dots, third });
    else if (c === "/") {
      found.push({ kind: "bar" });
      inBar = new Map();
    } else if (c === "(") third = true;
    else if (c === ")") third = false;
    else if (c === "g") grace = true;
    else if (!"{}+ \n:;!?".includes(c)) return refused(i + 1, text);
  }
  return { found };
}

const lengthOf = ({ dur, dots, third, grace }) => (grace ? 0 : kLength[dur] * (2 - 2 ** -dots) * (third ? 2 / 3 : 1));

function notesOf(found) {
  const notes = [];
  let onset = 0;
  let tied = false;
  for (const event of found) {
    if (event.kind === "bar") continue;
    const duration = lengthOf(event);
    if (event.kind === "note" && !event.grace) {
      const midi = 12 * (event.octave + 1) + kNatural[event.name] + event.alter;
      if (tied) notes.at(-1).duration += duration;
      else notes.push({ onset, duration, midi, name: `${event.name}${["♭", "", "♯"][event.alter + 1]}${event.octave}` });
      tied = event.tie;
    }
    onset += duration;
  }
  return notes;
}

function meiNote(event, tiedFrom) {
  const accid = event.sign ? ` accid="${{ x: "s", b: "f", n: "n" }[event.sign]}"` : event.alter ? ` accid.ges="${event.alter > 0 ? "s" : "f"}"` : "";
  const tie = event.tie ? (tiedFrom ? ' tie="m"' : ' tie="i"') : tiedFrom ? ' tie="t"' : "";
  const dots = event.dots ? ` dots="${event.dots}"` : "";
  return `<note${event.grace ? ' grace="unknown"' : ""} dur="${kDur[event.dur]}"${dots} pname="${event.name.toLowerCase()}" oct="${event.octave}"${accid}${tie} />`;
}

function meiBar(bar, state) {
  let text = "";
  let open = false;
  for (const event of bar) {
    if (Boolean(event.third) !== open) {
      text += open ? "</tuplet>" : '<tuplet num="3" numbase="2">';
      open = !open;
    }
    if (event.kind === "rest") text += `<rest dur="${kDur[event.dur]}"${event.dots ? ` dots="${event.dots}"` : ""} />`;
    else {
      text += meiNote(event, state.tied);
      if (!event.grace) state.tied = event.tie;
    }
  }
  return text + (open ? "</tuplet>" : "");
}

function meiOf(found, { clef, key, time }) {
  const bars = [[]];
  for (const event of found) event.kind === "bar" ? bars.push([]) : bars.at(-1).push(event);
  const shape = clef || "G-2";
  const signs = signature(key).size;
  const sig = `${signs}${signs === 0 ? "" : key.startsWith("b") ? "f" : "s"}`;
  const metre = time === "c" ? ' count="4" unit="4" sym="common"' : time === "c/" ? ' count="2" unit="2" sym="cut"' : / *(\d+)\/(\d+)/.exec(time) ? time.replace(/(\d+)\/(\d+)/, ' count="$1" unit="$2"') : "";
  const state = { tied: false };
  const measures = bars.filter((bar) => bar.length > 0).map((bar, i) => `<measure n="${i + 1}"><staff n="1"><layer n="1">${meiBar(bar, state)}</layer></staff></measure>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<mei xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.0"><meiHead><fileDesc><titleStmt><title /></titleStmt><pubStmt /></fileDesc></meiHead><music><body><mdiv><score><scoreDef><staffGrp><staffDef n="1" lines="5"><clef shape="${shape[0].toUpperCase()}" line="${shape.at(-1)}" /><keySig sig="${sig}" />${metre && `<meterSig${metre} />`}</staffDef></staffGrp></scoreDef><section>${measures.join("")}</section></score></mdiv></body></music></mei>`;
}

/** Just enough ABC that pasting some can be tried: plain notes of one voice in quarters. */
function fromAbc(text) {
  const body = text.split("\n").filter((line) => !/^[A-Z]:/.test(line)).join(" ");
  const notes = [...body.matchAll(/([_^=]?)([A-Ga-g])|\|/g)].map(([whole, sign, name]) => (whole === "|" ? "/" : `${/[a-g]/.test(name) ? "''" : "'"}${{ _: "b", "^": "x", "=": "n" }[sign] ?? ""}${name.toUpperCase()}`));
  return notes.join("");
}

export function readQuery(text) {
  const abc = /^X:|^K:/m.test(text);
  const source = abc ? fromAbc(text) : text;
  const { head, ...about } = header(source);
  const { found, problem } = events(source, head.length, signature(about.key));
  if (problem) return { problem };
  const notes = notesOf(found);
  if (notes.length === 0) return { problem: { title: "No notes", detail: "There is no note in this melody yet.", code: "query-empty" } };
  return { pae: source, ...about, notes, format: abc ? "abc" : "pae", mei: meiOf(found, about) };
}

export const makeMelody = (melody) => ({ ...readQuery(melody.pae), ...melody });
