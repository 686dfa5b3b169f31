// Times of notes to written lengths. The time from one note to the next counts; how long a note was held only where a
// real silence follows.

/** A note as it was played: seconds, and a MIDI number. */
export interface Played {
  start: number;
  end: number;
  midi: number;
}

/** A written note, or a rest if it has no pitch; its length in sixteenths. */
export interface Written {
  midi: number | null;
  sixteenths: number;
}

export const kSlowest = 30;
export const kFastest = 300;

// What one sign can write, and how surprising it is.
const kLengths: readonly { sixteenths: number; cost: number }[] = [
  { sixteenths: 1, cost: 0.06 },
  { sixteenths: 2, cost: 0 },
  { sixteenths: 3, cost: 0.06 },
  { sixteenths: 4, cost: 0 },
  { sixteenths: 6, cost: 0.03 },
  { sixteenths: 8, cost: 0.01 },
  { sixteenths: 12, cost: 0.04 },
  { sixteenths: 16, cost: 0.05 },
];

const kRest = 1.1; // quarters of silence that are worth a rest; less is how a note is played

const sixteenth = (tempo: number): number => 15 / tempo;

function nearest(seconds: number, tempo: number): { sixteenths: number; cost: number; error: number } {
  let best = { sixteenths: 4, cost: 0, error: Number.POSITIVE_INFINITY };
  for (const one of kLengths) {
    const error = Math.abs(Math.log(Math.max(seconds, 0.02) / (one.sixteenths * sixteenth(tempo))));
    if (error + one.cost < best.error + best.cost) best = { ...one, error };
  }
  return best;
}

const gaps = (notes: readonly Played[]): number[] => notes.slice(1).map(({ start }, i) => start - (notes[i]?.start ?? 0));

/** Quarters per minute under which the times between notes are simplest, near to what people sing; 0 if that cannot be said. */
export function estimateTempo(notes: readonly Played[]): number {
  const times = gaps(notes).filter((time) => time > 0.04);
  if (times.length === 0) return 0;
  let best = { tempo: 0, cost: Number.POSITIVE_INFINITY };
  for (let tempo = 48; tempo <= 190; tempo += 1) {
    let cost = 0;
    for (const time of times) {
      const { error, cost: surprise } = nearest(time, tempo);
      cost += Math.min(0.35, error) + surprise;
    }
    cost = cost / times.length + 0.06 * Math.log2(tempo / 105) ** 2;
    if (cost < best.cost) best = { tempo, cost };
  }
  return best.tempo;
}

/** From the times of taps on the beat; 0 until there are two. */
export function tappedTempo(taps: readonly number[]): number {
  const times = taps.slice(1).map((time, i) => time - (taps[i] ?? 0));
  if (times.length === 0) return 0;
  const middle = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 1;
  return Math.round(Math.min(kFastest, Math.max(kSlowest, 60 / middle)));
}

export function quantise(notes: readonly Played[], tempo: number): Written[] {
  const result: Written[] = [];
  const quarter = 4 * sixteenth(tempo);
  notes.forEach((note, i) => {
    const next = notes[i + 1];
    const held = note.end - note.start;
    if (!next) {
      result.push({ midi: note.midi, sixteenths: nearest(held, tempo).sixteenths });
      return;
    }
    const whole = next.start - note.start;
    const silence = next.start - note.end;
    if (silence >= kRest * quarter && silence > 0.6 * whole) {
      result.push({ midi: note.midi, sixteenths: nearest(held, tempo).sixteenths }, { midi: null, sixteenths: nearest(silence, tempo).sixteenths });
    } else result.push({ midi: note.midi, sixteenths: nearest(whole, tempo).sixteenths });
  });
  return result;
}
