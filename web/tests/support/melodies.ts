// Melodies to sing in tests: well-known tunes as the steps of their notes in semitones above the lowest C, and lengths in
// quarters.

import type { Played } from "../../app/hear/rhythm";

export const kTunes: Record<string, string> = {
  joy: "E1 E1 F1 G1 G1 F1 E1 D1 C1 C1 D1 E1 E1.5 D.5 D2",
  maman: "C1 C1 G1 G1 A1 A1 G2 F1 F1 E1 E1 D1 D1 C2",
  frere: "C1 D1 E1 C1 C1 D1 E1 C1 E1 F1 G2 E1 F1 G2",
  folia: "D2 D1 ^C2 ^C1 D2 E1 E2",
  greensleeves: "A.5 c1 d.5 e.75 f.25 e.5 d1 B.5 G.75 A.25 B.5 c1 A.5 A.75 ^G.25 A.5 B1 ^G.5 E1",
  amazing: "C1 F2 A.5 F.5 A2 G1 F2 D1 C2 C1 F2 A.5 F.5 A2 G1 c3",
  auld: "C1 F1.5 F.5 F1 A1 G1.5 F.5 G1 A1 F1.5 F.5 A1 c1 d3",
  horn: "G.5 E.5 E1 F.5 D.5 D1 C.5 D.5 E.5 F.5 G.5 G.5 G1",
  lullaby: "E.5 E.5 G1.5 E.5 E1 G2 E.5 G.5 c1 B1 A1 A1 G1",
  minuet: "d1 G.5 A.5 B.5 c.5 d1 G1 G1 e1 c.5 d.5 e.5 ^f.5 g1 G1 G1",
};

const kSteps: Record<string, number> = { C: 60, D: 62, E: 64, F: 65, G: 67, A: 69, B: 71, c: 72, d: 74, e: 76, f: 77, g: 79 };

/** The tune at a tempo, held to the end of each note. */
export function tune(text: string, tempo: number): Played[] {
  let start = 0;
  return text.split(" ").map((word) => {
    const [, sharp = "", name = "C", length = "1"] = /^(\^?)([A-Ga-g])([\d.]+)$/.exec(word) ?? [];
    const seconds = (Number(length) * 60) / tempo;
    const note = { midi: (kSteps[name] ?? 60) + (sharp ? 1 : 0), start, end: start + seconds };
    start += seconds;
    return note;
  });
}
