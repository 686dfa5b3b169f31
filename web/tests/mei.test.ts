import { describe, expect, test } from "vitest";
import { idsOfNotes, prepare, tags } from "../shared/engrave/mei";

const bar = (inside: string, n = 1) => `<measure n="${n}"><staff n="1"><layer n="1">${inside}</layer></staff></measure>`;
const piece = (metre: string, ...bars: string[]) =>
  `<mei><staffDef><meterSig ${metre} /></staffDef><section>${bars.join("")}</section></mei>`;
const note = (dur: number, more = "") => `<note dur="${dur}" pname="g" oct="4"${more} />`;

/** Letters for what stands in the layers: n note, r rest, brackets for beams, parentheses for tuplets. */
const layout = (mei: string): string =>
  tags(mei)
    .map(({ name, closes }) => ({ note: "n", rest: "r", beam: closes ? "]" : "[", tuplet: closes ? ")" : "(", measure: closes ? "|" : "" })[name] ?? "")
    .join("");

describe("notes on the paper", () => {
  test("have ids in order, and a note without its own id gets one", () => {
    const { mei, sounding } = prepare(bar(note(4) + note(4, ' xml:id="old"')), "p");
    expect(sounding.map(({ ids }) => ids)).toEqual([["p0"], ["p1"]]);
    expect(mei).toContain('xml:id="p1"');
    expect(mei).not.toContain("old");
  });
  test("a tied note is one that is written several times, across a bar line too", () => {
    const { sounding } = prepare(bar(note(4, ' tie="i"')) + bar(note(4, ' tie="m"')) + bar(note(4, ' tie="t"') + note(4)), "p");
    expect(sounding.map(({ ids }) => ids)).toEqual([["p0", "p1", "p2"], ["p3"]]);
  });
  test("ties written as elements of their own count as well", () => {
    const { sounding, mei } = prepare(bar(`${note(4, ' xml:id="a"')}${note(4, ' xml:id="b"')}<tie startid="#a" endid="#b" />`), "p");
    expect(sounding.map(({ ids }) => ids)).toEqual([["p0", "p1"]]);
    expect(mei).toContain('<tie startid="#p0" endid="#p1" />');
  });
  test("grace notes are no notes of the melody", () => {
    const { sounding } = prepare(bar(`<graceGrp>${note(8, ' grace="unknown"')}</graceGrp>${note(4)}`), "p");
    expect(idsOfNotes(sounding, 1)).toEqual([["p1"]]);
  });
  test("unless the melody counts them", () => {
    const { sounding } = prepare(bar(`<graceGrp>${note(8, ' grace="unknown"')}</graceGrp>${note(4)}`), "p");
    expect(idsOfNotes(sounding, 2)).toEqual([["p0"], ["p1"]]);
  });
  test("are those that the server says they are", () => {
    const tied = note(4, ' xml:id="n1" tie="i"') + note(4, ' xml:id="n1-2" tie="t"');
    const { sounding } = prepare(bar(tied + note(8, ' xml:id="n0" grace="acc"') + note(4, ' xml:id="n2"')), "p");
    expect(idsOfNotes(sounding, 3)).toEqual([["p2"], ["p0", "p1"], ["p3"]]);
    expect(idsOfNotes(sounding, 1)).toEqual([["p2"]]);
  });
  test("of a chord, the highest is the note of a melody without the others", () => {
    const { sounding } = prepare(bar(`<chord dur="4">${note(4)}<note pname="e" oct="4" /></chord>${note(4)}`), "p");
    expect(idsOfNotes(sounding, 3)).toEqual([["p0"], ["p1"], ["p2"]]);
    expect(idsOfNotes(sounding, 2)).toEqual([["p0"], ["p2"]]);
  });
  test("a melody shorter or longer than the paper does no harm", () => {
    const { sounding } = prepare(bar(note(4) + note(4)), "p");
    expect(idsOfNotes(sounding, 1)).toEqual([["p0"]]);
    expect(idsOfNotes(sounding, 9)).toHaveLength(2);
    expect(idsOfNotes([], 3)).toEqual([]);
  });
  test("a staff without a clef gets the treble clef, one with a clef keeps it", () => {
    expect(prepare('<staffDef n="1" lines="5"/>', "p").mei).toBe('<staffDef clef.shape="G" clef.line="2" n="1" lines="5"/>');
    expect(prepare('<staffDef n="1"><clef shape="F" line="4"/></staffDef>', "p").mei).not.toContain("clef.shape");
  });
  test("text that is no MEI passes through", () => {
    expect(prepare("", "p")).toEqual({ mei: "", sounding: [] });
    expect(prepare("<<< not > mei", "p").sounding).toEqual([]);
  });
});

describe("beams", () => {
  test("join what lies in one beat, and no rest", () => {
    const { mei } = prepare(piece('count="2" unit="4"', bar(`${note(8)}${note(8)}${note(8)}<rest dur="8" />`)), "p");
    expect(layout(mei)).toBe("[nn]nr|");
  });
  test("three eighths make a beat in six-eight", () => {
    const { mei } = prepare(piece('count="6" unit="8"', bar(note(8).repeat(6))), "p");
    expect(layout(mei)).toBe("[nnn][nnn]|");
  });
  test("an upbeat is counted from the end of its bar", () => {
    const { mei } = prepare(piece('count="2" unit="4"', bar(note(8).repeat(3)), bar(note(8).repeat(4), 2)), "p");
    expect(layout(mei)).toBe("n[nn]|[nn][nn]|");
  });
  test("triplets have a beam of their own", () => {
    const { mei } = prepare(piece('count="2" unit="4"', bar(`<tuplet num="3" numbase="2">${note(8).repeat(3)}</tuplet>${note(8).repeat(2)}`)), "p");
    expect(layout(mei)).toBe("([nnn])[nn]|");
  });
  test("are left alone where there are some, or no time signature", () => {
    const beamed = piece('count="2" unit="4"', bar(`${note(8)}${note(8)}<beam>${note(8)}${note(8)}</beam>`));
    expect(layout(prepare(beamed, "p").mei)).toBe("nn[nn]|");
    expect(layout(prepare(bar(note(8) + note(8)), "p").mei)).toBe("nn|");
  });
});
