import { describe, expect, it } from "vitest";
import { PitchTracker } from "../app/hear/frames";
import { estimateTempo, quantise, tappedTempo, type Played } from "../app/hear/rhythm";
import { inComfortableOctave, segment } from "../app/hear/segment";
import { notesRight } from "./support/compare";
import { kTunes, tune } from "./support/melodies";
import { kManners, kPlain, timed, voice, type Manner } from "./support/voice";

const kRate = 16_000;

function hear(notes: readonly Played[], manner: Manner, seed: number): Played[] {
  return segment(new PitchTracker(kRate).push(voice(notes, manner, kRate, seed)));
}

describe("a synthesised voice", () => {
  const totals = { sung: 0, right: 0, extra: 0, melodies: 0 };
  for (const [name, manner] of Object.entries(kManners)) {
    it(`is written down note by note: ${name}`, () => {
      let sung = 0;
      let right = 0;
      let extra = 0;
      Object.values(kTunes)
        .filter((_, i) => i % 2 === Object.keys(kManners).indexOf(name) % 2)
        .forEach((text, i) => {
          const notes = timed(tune(text, 84 + 7 * i), manner, i + 1);
          const heard = hear(notes, manner, i + 1);
          const good = notesRight(notes, heard);
          sung += notes.length;
          right += good;
          extra += Math.max(0, heard.length - good);
          ++totals.melodies;
        });
      totals.sung += sung;
      totals.right += right;
      totals.extra += extra;
      console.info(`${name}: ${right} of ${sung} right, ${extra} too many`);
      expect(right / sung).toBeGreaterThanOrEqual(0.85);
      expect(extra / sung).toBeLessThanOrEqual(0.15);
    });
  }
  it("has nine of ten notes right over forty melodies", () => {
    expect(totals.melodies).toBe(40);
    expect(totals.right / totals.sung).toBeGreaterThanOrEqual(0.9);
  });
});

describe("segmentation", () => {
  const held = (midi: number, seconds: number): Played[] => [{ midi, start: 0.3, end: 0.3 + seconds }];
  it.each([20, 60, 100])("keeps a note with a vibrato of %i cents whole", (vibrato) => {
    expect(hear(held(64, 2), { ...kPlain, vibrato, noise: 30 }, 3).map(({ midi }) => midi)).toEqual([64]);
  });
  it.each([0.05, 0.1, 0.15])("makes no notes of a glide of %f seconds over a fifth", (glide) => {
    const notes = [
      { midi: 60, start: 0.3, end: 0.9 },
      { midi: 67, start: 0.9, end: 1.5 },
    ];
    expect(hear(notes, { ...kPlain, glide, noise: 30 }, 3).map(({ midi }) => midi)).toEqual([60, 67]);
  });
  it.each([
    [40, 8],
    [20, 8],
    [10, 8],
    [6, 6],
  ])("hears a scale through noise %i dB below the voice: %i notes of 8 at least", (noise, least) => {
    const scale = [0, 2, 4, 5, 7, 9, 11, 12].map((step, i) => ({ midi: 57 + step, start: 0.3 + 0.4 * i, end: 0.7 + 0.4 * i }));
    expect(notesRight(scale, hear(scale, { ...kPlain, noise }, 3))).toBeGreaterThanOrEqual(least);
  });
  it("tells repeated notes apart", () => {
    const notes = Array.from({ length: 6 }, (_, i) => ({ midi: 62, start: 0.3 + 0.3 * i, end: 0.6 + 0.3 * i }));
    expect(hear(notes, { ...kPlain, noise: 30 }, 3)).toHaveLength(6);
  });
  it("finds nothing in noise and in silence", () => {
    const noise = voice([{ midi: 60, start: 2.5, end: 2.6 }], { ...kPlain, noise: 20 }, kRate, 5).subarray(0, 2 * kRate);
    expect(segment(new PitchTracker(kRate).push(noise))).toEqual([]);
    expect(segment(new PitchTracker(kRate).push(new Float32Array(kRate)))).toEqual([]);
    expect(segment([])).toEqual([]);
  });
  it("does not depend on how the sound is cut into pieces", () => {
    const sound = voice(held(60, 1), kPlain, kRate, 1);
    const whole = new PitchTracker(kRate).push(sound);
    const tracker = new PitchTracker(kRate);
    const pieces = [];
    for (let i = 0; i < sound.length; i += 777) pieces.push(...tracker.push(sound.subarray(i, i + 777)));
    expect(pieces).toEqual(whole);
  });
  it("brings whistling and low voices to the octave in which melodies are written", () => {
    const at = (midi: number) => [{ midi, start: 0, end: 1 }];
    expect(inComfortableOctave(at(96))).toEqual(at(72));
    expect(inComfortableOctave(at(45))).toEqual(at(69));
    expect(inComfortableOctave(at(67))).toEqual(at(67));
    expect(inComfortableOctave([])).toEqual([]);
  });
});

describe("rhythm", () => {
  const lengths = (notes: readonly Played[], tempo: number) => quantise(notes, tempo).map(({ midi, sixteenths }) => (midi === null ? -sixteenths : sixteenths));
  const joy = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 2, 8];
  it.each([72, 96, 120, 144])("finds a tempo of %i quarters a minute from the notes alone", (tempo) => {
    expect(Math.abs(estimateTempo(tune(kTunes.joy ?? "", tempo)) - tempo)).toBeLessThanOrEqual(2);
  });
  it.each([0, 0.05, 0.1])("writes lengths that were played with an error of %f", (uneven) => {
    const played = timed(tune(kTunes.joy ?? "", 100), { ...kPlain, uneven }, 4);
    expect(lengths(played, estimateTempo(played))).toEqual(joy);
  });
  it("follows a tempo that is corrected", () => {
    const played = tune(kTunes.joy ?? "", 100);
    expect(lengths(played, 200)).toEqual(joy.map((one) => 2 * one));
    expect(lengths(played, 50)).toEqual(joy.map((one) => one / 2));
  });
  it("writes short gaps into the note before and long ones as rests", () => {
    const notes = [
      { midi: 60, start: 0, end: 0.3 },
      { midi: 62, start: 0.6, end: 1.18 },
      { midi: 64, start: 2.4, end: 3 },
    ];
    expect(lengths(notes, 100)).toEqual([4, 4, -8, 4]);
  });
  it("says nothing about the tempo of one note", () => {
    expect(estimateTempo([{ midi: 60, start: 0, end: 1 }])).toBe(0);
    expect(estimateTempo([])).toBe(0);
  });
  it("takes the tempo from taps, and one slip does not matter", () => {
    expect(tappedTempo([0, 0.5, 1, 1.5])).toBe(120);
    expect(tappedTempo([0, 0.5, 1, 1.2, 1.7, 2.2])).toBe(120);
    expect(tappedTempo([3])).toBe(0);
  });
});
