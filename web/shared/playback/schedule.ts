// When each note sounds, in seconds, and where the cursor stands between them.

export interface TimedNote {
  onset: number | string;
  duration: number | string;
  midi: number;
  /** An ornament without time of its own; it is not sounded. */
  grace?: boolean;
}

export interface Sound {
  note: number;
  start: number;
  length: number;
  frequency: number;
}

/** A part of a whole note, as a number or as text: "3/8", "0.375". What cannot be read counts as nothing. */
export function fraction(value: number | string): number {
  if (typeof value === "number") return Number.isFinite(value) ? value : 0;
  const [above, below = "1"] = value.split("/");
  const result = Number(above) / Number(below);
  return Number.isFinite(result) ? result : 0;
}

export const frequency = (midi: number): number => 440 * 2 ** ((midi - 69) / 12);

/** Seconds of a whole note at so many quarters a minute. */
export const wholeNote = (quartersPerMinute: number): number => 240 / quartersPerMinute;

const kSilence = 1.5; // No one waits longer for a melody to go on, or to begin.

/** The sounds in order of time, from the first note on; very long rests are shortened. */
export function schedule(notes: readonly TimedNote[], quartersPerMinute: number): Sound[] {
  const whole = wholeNote(quartersPerMinute);
  const sounds = notes
    .flatMap((note, index) =>
      note.grace
        ? []
        : {
            note: index,
            start: fraction(note.onset) * whole,
            length: Math.max(0.05, fraction(note.duration) * whole),
            frequency: frequency(note.midi),
          },
    )
    .sort((a, b) => a.start - b.start || a.note - b.note);
  let end = sounds[0]?.start ?? 0;
  let moved = end;
  for (const sound of sounds) {
    const gap = sound.start - end;
    if (gap > kSilence) moved += gap - kSilence;
    end = Math.max(end, sound.start + sound.length);
    sound.start -= moved;
  }
  return sounds;
}

export const endOf = (sounds: readonly Sound[]): number =>
  sounds.reduce((latest, sound) => Math.max(latest, sound.start + sound.length), 0);

/** The sound begun last at this time (none before the first), and how far it is through to the next. */
export function placeAt(sounds: readonly Sound[], time: number): { index: number; part: number } {
  let index = -1;
  while (index + 1 < sounds.length && (sounds[index + 1]?.start ?? 0) <= time) ++index;
  const now = sounds[index];
  if (!now) return { index: -1, part: 0 };
  const until = sounds[index + 1]?.start ?? now.start + now.length;
  return { index, part: until > now.start ? Math.min(1, (time - now.start) / (until - now.start)) : 0 };
}
