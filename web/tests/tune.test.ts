import { describe, expect, it } from "vitest";
import { insertAt, lengthen, lowestLine, moveBySemitones, moveBySteps, readTune, remove, soundingSigns, tuneOf, writeTune, type Tune } from "../app/pae/tune";

const read = (text: string): Tune => {
  const tune = readTune(text);
  if (!tune) throw new Error(`not read: ${text}`);
  return tune;
};

describe("a tune", () => {
  it.each(["'4CDEF/GAB''C", "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/", "'4xCC/C''8.E6F4-/1C", "'2C+/4CD", "%F-4$bBE@3/4 ,4BE8bAnA2B", "'2.C4-", ""])("is written as it was read: %s", (text) => {
    expect(writeTune(read(text))).toBe(text);
  });
  it("keeps every note where octaves, lengths and beams are written otherwise", () => {
    expect(writeTune(read("'4C'4D{8EF}"))).toBe("'4CD8EF");
    expect(writeTune(read("'8.6CDEF"))).toBe("'8.C6D8.E6F");
  });
  it.each(["'4C({8GFE})", "g'8A4G", "'4C^E", "'4C!DE!f", "'4C=3/", "'4Ct", "X:1"])("with what single notes cannot say is left alone: %s", (text) => {
    expect(readTune(text)).toBeNull();
  });
  it("knows which signs sound as one note", () => {
    expect(soundingSigns(read("'4C+/CD-+E"))).toEqual([[0, 2], [3], [5]]);
  });
});

describe("editing", () => {
  const key = "%G-2$xFC@c ";
  it("moves a note along the staff, within the key", () => {
    expect(writeTune(moveBySteps(read(`${key}'4DEF`), [1], 1))).toBe(`${key}'4DFF`);
    expect(writeTune(moveBySteps(read(`${key}'4DEF`), [0], -2))).toBe(`${key},4B'EF`);
    expect(writeTune(moveBySteps(read("'4BC"), [0], 1))).toBe("''4C'C");
  });
  it("moves a note by semitones, and what follows keeps its pitch", () => {
    expect(writeTune(moveBySemitones(read("'4CCD"), [0], 1))).toBe("'4xCnCD");
    expect(writeTune(moveBySemitones(read("'4C+CD"), [0, 1], -1))).toBe(",4B+B'D");
  });
  it("lengthens and shortens, to the longest and the shortest", () => {
    expect(writeTune(lengthen(read("'4CD"), [0], 1))).toBe("'4.C4D");
    expect(writeTune(lengthen(read("'4CD"), [1], -1))).toBe("'4C8.D");
    expect(writeTune(lengthen(read("'1C"), [0], 1))).toBe("'1C");
    expect(writeTune(lengthen(read("'3C"), [0], -1))).toBe("'3C");
  });
  it("deletes a note and the ties to it", () => {
    expect(writeTune(remove(read("'4CDE"), [1]))).toBe("'4CE");
    expect(writeTune(remove(read("'4C+/CD"), [2]))).toBe("'4C/D");
    expect(writeTune(remove(read("'4C"), [0]))).toBe("");
  });
  it("writes a note where the staff was clicked", () => {
    const step = lowestLine("G-2");
    expect(writeTune(insertAt(read(""), 0, step, "4"))).toBe("'4E");
    expect(writeTune(insertAt(read(`${key}'4DE`), 1, step + 1, "8"))).toBe(`${key}'4D8F4E`);
    expect(writeTune(insertAt(read(""), 0, lowestLine("F-4"), "2"))).toBe(",,2G");
    expect(writeTune(insertAt(read(""), 0, lowestLine("C-3"), "2"))).toBe(",2F");
  });
  it("writes what was played", () => {
    const written = [
      { midi: 66, sixteenths: 3 },
      { midi: 67, sixteenths: 1 },
      { midi: null, sixteenths: 4 },
      { midi: 72, sixteenths: 16 },
    ];
    expect(writeTune(tuneOf("%G-2$xF ", written))).toBe("%G-2$xF '8.F6G4-''1C");
  });
});
