import { describe, expect, test } from "vitest";
import { actionOf } from "../app/pae/keys";
import { insertMark, insertNote, insertRest, spell, takeBack, type Length, type Text } from "../app/pae/typing";

const kQuarter: Length = { figure: "4", dotted: false };
const kEighth: Length = { figure: "8", dotted: false };

/** Plays these notes one after the other, from the end of the text on. */
const played = (text: string, notes: number[], length = kQuarter): string =>
  notes.reduce<Text>((at, midi) => insertNote(at.text, at.caret, midi, length), { text, caret: text.length }).text;

describe("notes that are played", () => {
  test("begin with octave and length, and repeat neither", () => {
    expect(played("", [60, 62, 64])).toBe("'4CDE");
  });
  test("write the octave where it changes, below and above middle C", () => {
    expect(played("", [71, 72, 71, 59, 47])).toBe("'4B''C'B,B,,B");
  });
  test("write the length where it changes", () => {
    const { text, caret } = insertNote("'4C", 3, 62, { figure: "8", dotted: true });
    expect(text).toBe("'4C8.D");
    expect(played(text, [64], kEighth)).toBe("'4C8.D8E");
    expect(caret).toBe(6);
  });
  test("write a length after a rhythmic pattern, of which no one knows the next step", () => {
    expect(played("'8.6CD", [64], kEighth)).toBe("'8.6CD8E");
  });
  test("do not take the number of a bar rest or of a tuplet for a length", () => {
    expect(played("'4C=35/", [62])).toBe("'4C=35/D");
    expect(played("'4C4(DEFGA;5)", [62])).toBe("'4C4(DEFGA;5)D");
  });
  test("follow the key signature", () => {
    // D major: F and C are sharp of themselves, the plain ones need a natural.
    expect(played("$xFC ", [66, 73, 65])).toBe("$xFC '4F''C'nF");
    expect(played("$bBE ", [70, 63, 71])).toBe("$bBE '4BEnB");
  });
  test("write an accidental once in a bar, and take it back", () => {
    expect(played("", [66, 66, 65, 65])).toBe("'4xFFnFF");
    expect(played(`${played("", [66])}/`, [66, 65])).toBe("'4xF/xFnF");
  });
  test("know that an accidental is good for every octave of its name", () => {
    expect(played("", [66, 78])).toBe("'4xF''F");
  });
  test("leave what follows the caret as it was", () => {
    const { text, caret } = insertNote("'4CD/E", 3, 72, kEighth);
    expect(text).toBe("'4C''8C'4D/E");
    expect(caret).toBe(7);
  });
  test("need nothing after them when the next note says everything itself", () => {
    expect(insertNote("'4C,8D", 3, 72, kQuarter).text).toBe("'4C''C,8D");
  });
  test("go behind a header that has no blank yet", () => {
    expect(insertNote("%G-2@3/4", 8, 60, kQuarter).text).toBe("%G-2@3/4 '4C");
  });
  test("never go into the header", () => {
    expect(insertNote("%G-2 'D", 0, 60, kQuarter).text).toBe("%G-2 '4C'D");
  });
});

describe("spelling", () => {
  const names = (sharps: number) =>
    Array.from({ length: 12 }, (_, i) => spell(60 + i, sharps)).map(({ name, alteration }) => name + ["b", "", "#"][alteration + 1]);
  test("in C", () => {
    expect(names(0)).toEqual(["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"]);
  });
  test("in A flat and in E", () => {
    expect(names(-4)).toEqual(["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "Cb"]);
    expect(names(4)[10]).toBe("A#");
  });
  test("counts the octave by the name: C flat lies above its B", () => {
    expect(spell(71, -4)).toEqual({ name: "C", alteration: -1, octave: 5 });
    expect(spell(72, 7)).toEqual({ name: "B", alteration: 1, octave: 4 });
  });
});

describe("rests, marks and taking back", () => {
  test("a rest has a length and no octave", () => {
    expect(insertRest("", 0, kQuarter).text).toBe("4-");
    expect(insertRest("'4C", 3, kEighth).text).toBe("'4C8-");
    expect(played("4-", [60])).toBe("4-'C");
  });
  test("bar lines and ties", () => {
    expect(insertMark("'4C", 3, "/").text).toBe("'4C/");
    expect(insertMark("'4C", 3, "+").text).toBe("'4C+");
  });
  test("a note goes with its octave, length and accidental", () => {
    expect(takeBack("'4C''8xC", 8).text).toBe("'4C");
    expect(takeBack("'4C/", 4).text).toBe("'4C");
    expect(takeBack("'4C8-", 5).text).toBe("'4C");
  });
  test("nothing is left to take back, and the header stays", () => {
    expect(takeBack("", 0)).toEqual({ text: "", caret: 0 });
    expect(takeBack("%G-2 ", 5).text).toBe("%G-2 ");
  });
  test("what was played can be taken back to the beginning", () => {
    let at: Text = { text: "", caret: 0 };
    for (const midi of [60, 78, 66, 49, 84]) at = insertNote(at.text, at.caret, midi, kEighth);
    for (let i = 0; i < 5; ++i) at = takeBack(at.text, at.caret);
    expect(at.text).toBe("");
  });
});

describe("the computer's keys", () => {
  const key = (code: string, held = {}) => actionOf({ code, ctrlKey: false, altKey: false, metaKey: false, ...held });
  test("are a piano from A on", () => {
    expect(key("KeyA")).toEqual({ kind: "note", semitone: 0 });
    expect(key("KeyW")).toEqual({ kind: "note", semitone: 1 });
    expect(key("KeyK")).toEqual({ kind: "note", semitone: 12 });
  });
  test("choose lengths from whole to thirty-second", () => {
    expect(["1", "2", "3", "4", "5", "6"].map((n) => key(`Digit${n}`))).toEqual(
      ["1", "2", "4", "8", "6", "3"].map((figure) => ({ kind: "length", figure })),
    );
    expect(key("Digit7")).toBeNull();
  });
  test("leave the browser's own shortcuts alone", () => {
    expect(key("KeyA", { ctrlKey: true })).toBeNull();
    expect(key("Tab")).toBeNull();
  });
});
