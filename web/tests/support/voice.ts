// A voice for tests, made of nothing but numbers: harmonics under formants, vibrato, glides from note to note, consonants,
// intonation that is never quite right, and the noise of a room.

import type { Played } from "../../app/hear/rhythm";

export interface Manner {
  kind: "sing" | "hum" | "whistle";
  /** Semitones that the singer is away from the written pitch; any fraction. */
  transposed: number;
  /** Cents to each side, and times a second. */
  vibrato: number;
  rate: number;
  /** Seconds from one pitch to the next. */
  glide: number;
  /** Cents by which each note is off, at most, and by which the whole goes flat in ten seconds. */
  wrong: number;
  flat: number;
  /** Decibels from the voice to the noise. */
  noise: number;
  /** The share by which times are off, at most. */
  uneven: number;
}

export const kPlain: Manner = { kind: "sing", transposed: 0, vibrato: 0, rate: 5.5, glide: 0.03, wrong: 0, flat: 0, noise: 60, uneven: 0 };

/** The same numbers from the same seed, on every machine. */
export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kFormants = [
  { at: 650, width: 180, gain: 1 },
  { at: 1150, width: 220, gain: 0.6 },
  { at: 2700, width: 400, gain: 0.25 },
];

/** How strong each harmonic is at this fundamental. */
function harmonics(kind: Manner["kind"], frequency: number, sampleRate: number): number[] {
  if (kind === "whistle") return [1, 0.03];
  const count = Math.min(kind === "hum" ? 6 : 20, Math.floor((sampleRate * 0.45) / frequency));
  return Array.from({ length: count }, (_, i) => {
    const at = (i + 1) * frequency;
    if (kind === "hum") return 1 / (i + 1) ** 2.2;
    const vowel = kFormants.reduce((sum, { at: centre, width, gain }) => sum + gain / (1 + ((at - centre) / width) ** 2), 0.08);
    return vowel / (i + 1) ** 0.7;
  });
}

/** Notes as this manner times them. */
export function timed(notes: readonly Played[], manner: Manner, seed: number): Played[] {
  const chance = random(seed);
  let now = 0.3;
  return notes.map((note, i) => {
    const whole = (notes[i + 1]?.start ?? note.end) - note.start;
    const held = note.end - note.start;
    const stretch = 1 + manner.uneven * (2 * chance() - 1);
    const start = now;
    now += whole * stretch;
    return { midi: note.midi, start, end: start + held * stretch };
  });
}

const kConsonant = { sing: 0.055, hum: 0.06, whistle: 0.04 };
const kDip = { sing: 0.16, hum: 0.3, whistle: 0.05 };

/** The sound of these notes; their times are taken as they are. */
export function voice(notes: readonly Played[], manner: Manner, sampleRate: number, seed: number): Float32Array {
  const chance = random(seed * 7919 + 1);
  const length = Math.ceil(((notes.at(-1)?.end ?? 0) + 0.4) * sampleRate);
  const sound = new Float32Array(length);
  const up = manner.transposed + (manner.kind === "whistle" ? 24 : 0);
  const pitches = notes.map(({ midi, start }) => midi + up + (manner.wrong * (2 * chance() - 1)) / 100 - (manner.flat * start) / 1000);
  let phase = 0;
  let at = 0;
  let strengths: number[] = [];
  let norm = 1;
  for (let i = 0; i < length; ++i) {
    const time = i / sampleRate;
    while (at + 1 < notes.length && time >= (notes[at + 1]?.start ?? 0)) ++at;
    const note = notes[at] as Played;
    const into = time - note.start;
    let pitch = pitches[at] ?? 0;
    const before = notes[at - 1];
    if (before && into < manner.glide && note.start - before.end < 0.1) {
      const share = (1 - Math.cos((Math.PI * into) / manner.glide)) / 2;
      pitch = (pitches[at - 1] ?? pitch) * (1 - share) + pitch * share;
    }
    const swell = Math.min(1, Math.max(0, into - 0.08) / 0.15);
    pitch += (manner.vibrato / 100) * swell * Math.sin(2 * Math.PI * manner.rate * time);
    const frequency = 440 * 2 ** ((pitch - 69) / 12);
    phase = (phase + frequency / sampleRate) % 1;
    if (i % 64 === 0) {
      strengths = harmonics(manner.kind, frequency, sampleRate);
      norm = 0.25 / Math.sqrt(strengths.reduce((sum, one) => sum + one * one, 0) / 2);
    }
    // Each note begins with a consonant and swells; the last part of it dies away.
    const consonant = kConsonant[manner.kind];
    const dip = kDip[manner.kind];
    const attack = into < 0 ? 0 : into < consonant ? dip + (1 - dip) * Math.max(0, (into - consonant / 2) / (consonant / 2)) : 1;
    const left = note.end - time;
    const follows = (notes[at + 1]?.start ?? Number.POSITIVE_INFINITY) - note.end < 0.03;
    const release = left < 0 ? (follows ? dip : 0) : left < 0.05 ? (follows ? dip + ((1 - dip) * left) / 0.05 : left / 0.05) : 1;
    const first = into < consonant && (before === undefined || note.start - before.end > 0.03) ? Math.max(0, into) / consonant : 1;
    // sin((h + 1) x) = 2 cos(x) sin(h x) - sin((h - 1) x)
    const twice = 2 * Math.cos(2 * Math.PI * phase);
    let sine = Math.sin(2 * Math.PI * phase);
    let lower = 0;
    let value = 0;
    for (const strength of strengths) {
      value += strength * sine;
      [sine, lower] = [twice * sine - lower, sine];
    }
    sound[i] = value * norm * Math.min(attack, release) * first;
  }
  // White noise, gently softened, as rooms and breath have it.
  const loudness = 0.25 * 10 ** (-manner.noise / 20);
  let soft = 0;
  for (let i = 0; i < length; ++i) {
    soft = 0.5 * soft + (chance() + chance() + chance() - 1.5) * 2 * loudness;
    sound[i] = (sound[i] ?? 0) + soft;
  }
  return sound;
}

/** Manners of singing from easy to hard. */
export const kManners: Record<string, Manner> = {
  plain: { ...kPlain, wrong: 10 },
  "out of tune": { ...kPlain, transposed: -3.37, wrong: 25, flat: 40, noise: 30, uneven: 0.06 },
  vibrato: { ...kPlain, transposed: -5.2, vibrato: 60, wrong: 12, noise: 30, uneven: 0.06 },
  glides: { ...kPlain, transposed: -7.6, glide: 0.1, vibrato: 25, wrong: 15, noise: 25, uneven: 0.06 },
  "low voice": { ...kPlain, transposed: -19.3, vibrato: 35, glide: 0.07, wrong: 15, noise: 25, uneven: 0.06 },
  humming: { ...kPlain, kind: "hum", transposed: -12.4, vibrato: 20, glide: 0.06, wrong: 20, noise: 25, uneven: 0.08 },
  whistling: { ...kPlain, kind: "whistle", transposed: 0.3, vibrato: 15, glide: 0.05, wrong: 20, noise: 20, uneven: 0.06 },
  "a noisy room": { ...kPlain, transposed: -6.1, vibrato: 40, glide: 0.07, wrong: 15, noise: 10, uneven: 0.08 },
};
