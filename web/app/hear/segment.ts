// Frames to notes. The melody is the cheapest path through the frames (Viterbi): each frame is silent or in one semitone,
// a frame costs the square of its distance from the semitone up to a limit, and every change costs as much as several such
// frames. So vibrato stays in its note, a glide is shared out to its ends, and a slip of the pitch detector is no note.
// Notes of one pitch that follow each other are told apart by the dip of loudness between them.

import type { Frame } from "./frames";
import type { Played } from "./rhythm";

const kSigma = 0.4; // semitones
const kFar = 3; // the most that one frame costs
const kChange = 9;
const kBegin = 4.5; // from silence to a note and back
const kSilentVoice = 2.2; // a frame with a pitch counted as silence
const kPitchedNoise = 1.2; // a frame without pitch counted as part of a note
const kShortest = 0.07; // seconds
const kDip = 5; // dB between two notes of one pitch
const kReach = 16; // frames in which loudness must come back after a dip
const kTuningReach = 3.5; // seconds over which the tuning is measured
const kSwing = 9; // frames to each side: one swing of a vibrato
const kSteady = 0.35; // semitones between their means

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

/** Pitches of frames that are loud enough. What is quieter than the singing by far is the room. */
function heard(frames: readonly Frame[]): (number | null)[] {
  const levels = frames.map(({ level }) => level).sort((a, b) => a - b);
  const gate = Math.min(percentile(levels, 0.05) + 6, percentile(levels, 0.95) - 25);
  return frames.map(({ midi, level }) => (level > gate ? midi : null));
}

/**
 * The mean pitch around a frame, over about one swing of a vibrato; null where there is silence or the pitch is on its way
 * to another note. Single frames would mislead: a vibrato stands still at its ends, half a semitone away.
 */
function centre(pitches: readonly (number | null)[], at: number): number | null {
  let early = 0;
  let late = 0;
  for (let i = 1; i <= kSwing; ++i) {
    const before = pitches[at - i];
    const after = pitches[at + i];
    if (before == null || after == null) return null;
    early += before / kSwing;
    late += after / kSwing;
  }
  return Math.abs(early - late) < kSteady ? (early + late) / 2 : null;
}

/** How far off the semitones of a piano the singer is around each frame, in semitones; singers go flat slowly. */
function tuning(frames: readonly Frame[], pitches: readonly (number | null)[]): number[] {
  const x = new Float64Array(frames.length);
  const y = new Float64Array(frames.length);
  pitches.forEach((_, i) => {
    const midi = centre(pitches, i);
    if (midi === null) return;
    x[i] = Math.cos(2 * Math.PI * midi);
    y[i] = Math.sin(2 * Math.PI * midi);
  });
  const step = (frames[1]?.time ?? 0.01) - (frames[0]?.time ?? 0) || 0.01;
  const decay = Math.exp(-step / kTuningReach);
  // Exponential windows to both sides.
  for (const part of [x, y]) {
    const forwards = Float64Array.from(part);
    for (let i = 1; i < part.length; ++i) forwards[i] = (forwards[i] ?? 0) + decay * (forwards[i - 1] ?? 0);
    let later = 0;
    for (let i = part.length - 1; i >= 0; --i) {
      const own = part[i] ?? 0;
      part[i] = (forwards[i] ?? 0) + later;
      later = decay * (later + own);
    }
  }
  // Half a semitone sharp and half a semitone flat are the same; what comes next goes on from what was before.
  let before = 0;
  return Array.from(x, (cosine, i) => {
    const here = Math.atan2(y[i] ?? 0, cosine) / (2 * Math.PI);
    before = i === 0 ? here : here + Math.round(before - here);
    return before;
  });
}

/** The semitone of each frame, or null. */
function path(pitches: readonly (number | null)[], offsets: readonly number[]): (number | null)[] {
  const voiced = pitches.flatMap((midi) => midi ?? []);
  if (voiced.length === 0) return pitches.map(() => null);
  const lowest = Math.floor(Math.min(...voiced)) - 1;
  const count = Math.ceil(Math.max(...voiced)) + 2 - lowest + 1;
  // State 0 is silence.
  let costs = new Float64Array(count).fill(kBegin);
  costs[0] = 0;
  const from: Int16Array[] = [];
  pitches.forEach((midi, i) => {
    const next = new Float64Array(count);
    const came = new Int16Array(count);
    let best = 1;
    for (let s = 2; s < count; ++s) if ((costs[s] ?? 0) < (costs[best] ?? 0)) best = s;
    const silence = costs[0] ?? 0;
    const lowestCost = costs[best] ?? 0;
    for (let s = 0; s < count; ++s) {
      let cost = costs[s] ?? 0;
      came[s] = s;
      if (s === 0 && lowestCost + kBegin < cost) {
        cost = lowestCost + kBegin;
        came[s] = best;
      }
      if (s > 0 && silence + kBegin < cost) {
        cost = silence + kBegin;
        came[s] = 0;
      }
      if (s > 0 && lowestCost + kChange < cost) {
        cost = lowestCost + kChange;
        came[s] = best;
      }
      if (midi === null) cost += s === 0 ? 0 : kPitchedNoise;
      else if (s === 0) cost += kSilentVoice;
      else cost += Math.min(kFar, (midi - (offsets[i] ?? 0) - (lowest + s)) ** 2 / (2 * kSigma ** 2));
      next[s] = cost;
    }
    costs = next;
    from.push(came);
  });
  let state = costs.indexOf(Math.min(...costs));
  const result = new Array<number | null>(pitches.length).fill(null);
  for (let i = pitches.length - 1; i >= 0; --i) {
    result[i] = state === 0 ? null : lowest + state;
    state = from[i]?.[state] ?? 0;
  }
  return result;
}

interface Run {
  midi: number | null;
  from: number;
  to: number;
}

function runs(semitones: readonly (number | null)[]): Run[] {
  const result: Run[] = [];
  semitones.forEach((midi, i) => {
    const last = result.at(-1);
    if (last && last.midi === midi) last.to = i + 1;
    else result.push({ midi, from: i, to: i + 1 });
  });
  return result;
}

const highest = (levels: readonly number[], from: number, to: number): number => {
  let result = Number.NEGATIVE_INFINITY;
  for (let i = Math.max(0, from); i < Math.min(levels.length, to); ++i) result = Math.max(result, levels[i] ?? result);
  return result;
};

/** Frames within the run at which loudness has come back from a dip. */
function onsets(levels: readonly number[], { from, to }: Run, shortest: number): number[] {
  const result: number[] = [];
  for (let i = from + shortest; i + shortest < to; ++i) {
    const here = levels[i] ?? 0;
    const before = highest(levels, Math.max(from, i - kReach), i);
    const after = highest(levels, i + 1, Math.min(to, i + kReach));
    if (Math.min(before, after) - here < kDip) continue;
    let bottom = i;
    while (bottom + 1 < to && (levels[bottom + 1] ?? 0) <= (levels[bottom] ?? 0)) ++bottom;
    let rise = bottom;
    const half = ((levels[bottom] ?? 0) + highest(levels, bottom, Math.min(to, bottom + kReach))) / 2;
    while (rise + 1 < to && (levels[rise] ?? 0) < half) ++rise;
    if (rise - (result.at(-1) ?? from) >= shortest && to - rise >= shortest) result.push(rise);
    i = rise;
  }
  return result;
}

const smooth = (values: readonly number[]): number[] =>
  values.map((value, i) => ((values[i - 1] ?? value) + value + (values[i + 1] ?? value)) / 3);

/** A gap without pitch between two runs of one pitch is a consonant if it is quiet; else the detector lost its way. */
function joined(all: readonly Run[], levels: readonly number[]): Run[] {
  const result: Run[] = [];
  for (const run of all) {
    const gap = result.at(-1);
    const before = result.at(-2);
    const quiet = gap && before ? Math.min(highest(levels, before.from, before.to), highest(levels, run.from, run.to)) - Math.min(...levels.slice(gap.from, gap.to)) >= kDip : true;
    if (gap?.midi === null && before && run.midi !== null && before.midi === run.midi && gap.to - gap.from < 12 && !quiet) {
      before.to = run.to;
      result.pop();
    } else result.push({ ...run });
  }
  return result;
}

/** Notes that were sung, with times in seconds. */
export function segment(frames: readonly Frame[]): Played[] {
  if (frames.length < 3) return [];
  const pitches = heard(frames);
  const levels = smooth(frames.map(({ level }) => level));
  const step = ((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) / (frames.length - 1);
  const shortest = Math.max(2, Math.round(kShortest / step));
  const timeOf = (frame: number): number => (frames[0]?.time ?? 0) + (frame - 0.5) * step;
  const notes: Played[] = [];
  for (const run of joined(runs(path(pitches, tuning(frames, pitches))), levels)) {
    const { midi } = run;
    if (midi === null || run.to - run.from < shortest) continue;
    const cuts = [run.from, ...onsets(levels, run, shortest), run.to];
    notes.push(...cuts.slice(1).map((to, i) => ({ midi, start: timeOf(cuts[i] ?? 0), end: timeOf(to) })));
  }
  return notes;
}

/** Whistling and low voices, brought by octaves to where melodies are written. */
export function inComfortableOctave(notes: readonly Played[]): Played[] {
  const sorted = notes.map(({ midi }) => midi).sort((a, b) => a - b);
  const middle = percentile(sorted, 0.5);
  if (sorted.length === 0) return [];
  const by = 12 * Math.round((69 - middle) / 12);
  return notes.map((note) => ({ ...note, midi: note.midi + by }));
}
