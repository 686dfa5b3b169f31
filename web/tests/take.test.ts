import { describe, expect, it } from "vitest";
import { emptyTake, KeyRecorder, tempoOf, writeTake } from "../app/hear/take";

describe("a take", () => {
  it("is written under the clef, key and time that stand there", () => {
    const notes = [62, 66, 69, 66].map((midi, i) => ({ midi, start: i * 0.5, end: i * 0.5 + 0.45 }));
    expect(writeTake({ notes, tempo: 120, rhythmOnly: false }, "%G-2$xFC@3/4 ")).toBe("%G-2$xFC@3/4 '4DFAF");
    expect(writeTake({ notes, tempo: 60, rhythmOnly: false }, "")).toBe("'8DxFAF");
  });
  it("estimates its tempo until one is chosen", () => {
    const notes = [0, 0.6, 1.2, 1.8].map((start) => ({ midi: 60, start, end: start + 0.5 }));
    expect(tempoOf({ notes, tempo: 0, rhythmOnly: false })).toBeGreaterThanOrEqual(98);
    expect(tempoOf({ notes, tempo: 77, rhythmOnly: false })).toBe(77);
    expect(tempoOf(emptyTake())).toBe(100);
  });
});

describe("keys", () => {
  it("are recorded from down to up, and a new one ends the one before", () => {
    const recorder = new KeyRecorder();
    recorder.down(60, 0);
    recorder.down(62, 0.5);
    recorder.up(60, 0.6);
    recorder.up(62, 0.9);
    recorder.down(64, 1);
    expect(recorder.played(1.4)).toEqual([
      { midi: 60, start: 0, end: 0.5 },
      { midi: 62, start: 0.5, end: 0.9 },
      { midi: 64, start: 1, end: 1.4 },
    ]);
  });
  it("that go up without having gone down are nothing", () => {
    const recorder = new KeyRecorder();
    recorder.up(60, 1);
    expect(recorder.played(2)).toEqual([]);
  });
});
