import { describe, expect, test } from "vitest";
import { noteOf } from "../app/parts/midi";
import { endOf, fraction, frequency, placeAt, schedule } from "../shared/playback/schedule";

const note = (onset: number | string, duration: number | string, midi = 69) => ({ onset, duration, midi });

describe("the schedule", () => {
  test("turns parts of a whole note into seconds: at 60, a quarter lasts one", () => {
    const sounds = schedule([note(0, "1/4"), note("1/4", "1/8"), note(0.5, 0.5)], 60);
    expect(sounds.map(({ start, length }) => [start, length])).toEqual([[0, 1], [1, 0.5], [2, 2]]);
    expect(endOf(sounds)).toBe(4);
  });
  test("begins with the first note, whatever its onset", () => {
    expect(schedule([note("3/4", "1/4")], 60)[0]?.start).toBe(0);
  });
  test("keeps a short rest and shortens a very long one to a second and a half", () => {
    const sounds = schedule([note(0, "1/4"), note("1/2", "1/4"), note(10, "1/4")], 60);
    expect(sounds.map(({ start }) => start)).toEqual([0, 2, 4.5]);
  });
  test("puts notes in the order of time and remembers which they are", () => {
    expect(schedule([note(1, 1), note(0, 1)], 60).map(({ note }) => note)).toEqual([1, 0]);
  });
  test("passes over ornaments and still counts them", () => {
    expect(schedule([{ ...note(0, "1/8"), grace: true }, note(0, "1/4")], 60).map(({ note }) => note)).toEqual([1]);
  });
  test("is empty for nothing and survives nonsense", () => {
    expect(schedule([], 60)).toEqual([]);
    expect(endOf([])).toBe(0);
    expect(schedule([note("x", Number.NaN)], 60)[0]).toMatchObject({ start: 0, length: 0.05 });
    expect([fraction("1/0"), fraction(""), fraction("3/8")]).toEqual([0, 0, 0.375]);
  });
  test("knows pitches: A is 440, the octave twice that", () => {
    expect([frequency(69), frequency(81)]).toEqual([440, 880]);
  });
});

describe("the cursor", () => {
  const sounds = schedule([note(0, "1/4"), note("1/4", "1/4"), note("3/4", "1/4")], 60);
  test("stands nowhere before the first note", () => {
    expect(placeAt(sounds, -0.1).index).toBe(-1);
    expect(placeAt([], 1).index).toBe(-1);
  });
  test("goes from note to note, through rests too", () => {
    expect(placeAt(sounds, 0)).toEqual({ index: 0, part: 0 });
    expect(placeAt(sounds, 0.25)).toEqual({ index: 0, part: 0.25 });
    expect(placeAt(sounds, 2)).toEqual({ index: 1, part: 0.5 });
  });
  test("stops at the end of the last", () => {
    expect(placeAt(sounds, 99)).toEqual({ index: 2, part: 1 });
  });
});

describe("a MIDI keyboard", () => {
  test("begins a note with some force on any channel, ends it without, and hears nothing else", () => {
    const messages = [[0x90, 60, 64], [0x9f, 61, 1], [0x90, 60, 0], [0x80, 60, 64], [0xb0, 1, 1], [0xfe]];
    const on = (midi: number) => ({ midi, on: true });
    const off = (midi: number) => ({ midi, on: false });
    expect(messages.map((bytes) => noteOf(new Uint8Array(bytes)))).toEqual([on(60), on(61), off(60), off(60), null, null]);
    expect(noteOf(null)).toBeNull();
  });
});
