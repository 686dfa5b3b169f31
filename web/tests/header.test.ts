import { describe, expect, test } from "vitest";
import { asOneLine, fifths, isOneLine, splitLine, withSignature } from "../app/pae/header";

describe("the header of the line", () => {
  test("is read in any order", () => {
    expect(splitLine("%G-2@3/4$bB 'ABC")).toEqual({ signature: { clef: "G-2", key: "bB", time: "3/4" }, head: "%G-2@3/4$bB ", notes: "'ABC" });
    expect(splitLine("'ABC").signature).toEqual({ clef: "", key: "", time: "" });
  });
  test("changes without touching the notes", () => {
    expect(withSignature("'ABC", { clef: "F-4" })).toBe("%F-4 'ABC");
    expect(withSignature("%G-2$xF 'ABC", { time: "c/" })).toBe("%G-2$xF@c/ 'ABC");
    expect(withSignature("%G-2 'ABC", { clef: "" })).toBe("'ABC");
    expect(withSignature(";pe2 %G-2 'ABC", { clef: "C-1" })).toBe(";pe2 %C-1 'ABC");
  });
  test("counts sharps and flats, supplied ones too", () => {
    expect([fifths("xFCG"), fifths("bB[EA]"), fifths(""), fifths("n")]).toEqual([3, -3, 0, 0]);
  });
});

describe("other ways to write a melody", () => {
  test("lines of PAE become one", () => {
    expect(asOneLine("@id:a\n@clef:G-2\n@keysig:bB\n@timesig:3/4\n@data:'4ABC\n")).toBe("%G-2$bB@3/4 '4ABC");
  });
  test("a bare line gets the signature that came with it", () => {
    expect(asOneLine("'4ABC", { clef: "G-2", key: "", time: "c" })).toBe("%G-2@c '4ABC");
    expect(asOneLine("%F-4 '4ABC", { clef: "G-2" })).toBe("%F-4 '4ABC");
  });
  test("are told from the line that the piano can write", () => {
    expect(["'4ABC", "{8AB}", "%G-2 'A", ""].map(isOneLine)).toEqual([true, true, true, true]);
    expect(["@data:ABC", "X:1\nK:C\nABC", "**kern\n4c", "<mei/>", '{"data":"A"}'].map(isOneLine)).toEqual([false, false, false, false, false]);
  });
});
