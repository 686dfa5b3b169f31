// What was played or sung, until it is written: notes with their times, and the tempo they are read at.

import { tuneOf, writeTune } from "../pae/tune";
import { estimateTempo, quantise, type Played } from "./rhythm";

export interface Take {
  notes: readonly Played[];
  /** Chosen by the player; 0: estimated. */
  tempo: number;
  /** A rhythm without pitches. */
  rhythmOnly: boolean;
}

const kUsualTempo = 100;

export const emptyTake = (rhythmOnly = false): Take => ({ notes: [], tempo: 0, rhythmOnly });

export const tempoOf = (take: Take): number => take.tempo || estimateTempo(take.notes) || kUsualTempo;

/** As a line of Plaine & Easie, under the clef, key and time that stand there already. */
export const writeTake = (take: Take, line: string): string => writeTune(tuneOf(line, quantise(take.notes, tempoOf(take))));

/** Keys go down and up, at times in seconds. Only one note sounds at a time: a new one ends the one before. */
export class KeyRecorder {
  private readonly notes: Played[] = [];
  private readonly open = new Map<number, Played>();

  down(midi: number, time: number): void {
    const last = this.notes.at(-1);
    if (last && last.end > time) last.end = time;
    const note = { midi, start: time, end: Number.POSITIVE_INFINITY };
    this.notes.push(note);
    this.open.set(midi, note);
  }

  up(midi: number, time: number): void {
    const note = this.open.get(midi);
    if (note) note.end = Math.max(note.start + 0.02, Math.min(note.end, time));
    this.open.delete(midi);
  }

  /** Notes so far; one that is still held lasts until `time`. */
  played(time: number): Played[] {
    return this.notes.map((note) => ({ ...note, end: Number.isFinite(note.end) ? note.end : Math.max(time, note.start + 0.02) }));
  }
}
