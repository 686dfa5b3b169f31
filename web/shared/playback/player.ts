// One melody sounds at a time. The sound is made here: three partials under an envelope that swells fast and dies away
// like a plucked string, so nothing has to be fetched.

import { endOf, frequency, schedule, type Sound, type TimedNote } from "./schedule";

export interface Playing {
  key: string;
  sounds: Sound[];
  /** Seconds since the first note; negative before it. */
  time: () => number;
}

const kPartials = [
  { multiple: 1, share: 1 },
  { multiple: 2, share: 0.28 },
  { multiple: 3, share: 0.12 },
];
const kLoudness = 0.22;
const kAttack = 0.012;
const kRelease = 0.14;
const kLead = 0.06;

let context: AudioContext | null = null;
let master: GainNode | null = null;
let playing: Playing | null = null;
let timer = 0;
let tempo = 100;
const listeners = new Set<() => void>();

function audio(): AudioContext {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function voice(at: AudioContext, out: AudioNode, start: number, length: number, pitch: number): void {
  const envelope = at.createGain();
  const end = start + length;
  const gain = envelope.gain;
  gain.setValueAtTime(0, start);
  gain.linearRampToValueAtTime(kLoudness, start + kAttack);
  gain.setTargetAtTime(kLoudness * 0.45, start + kAttack, 0.25);
  gain.setTargetAtTime(0, Math.max(start + kAttack, end - 0.03), kRelease / 3);
  envelope.connect(out);
  for (const { multiple, share } of kPartials) {
    const partial = at.createOscillator();
    const level = at.createGain();
    partial.type = "sine";
    partial.frequency.value = pitch * multiple;
    level.gain.value = share;
    partial.connect(level).connect(envelope);
    partial.start(start);
    partial.stop(end + kRelease * 2);
  }
}

const tell = () => {
  for (const listener of listeners) listener();
};

export function onPlaying(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const nowPlaying = (): Playing | null => playing;

export function stop(): void {
  if (!playing || !context || !master) return;
  window.clearTimeout(timer);
  master.gain.setTargetAtTime(0, context.currentTime, 0.03);
  const old = master;
  window.setTimeout(() => old.disconnect(), 400);
  master = null;
  playing = null;
  tell();
}

export function play(key: string, notes: readonly TimedNote[]): void {
  stop();
  const sounds = schedule(notes, tempo);
  if (sounds.length === 0) return;
  const at = audio();
  master = at.createGain();
  master.connect(at.destination);
  const start = at.currentTime + kLead;
  for (const sound of sounds) voice(at, master, start + sound.start, sound.length, sound.frequency);
  playing = { key, sounds, time: () => at.currentTime - start };
  const end = () => {
    // A clock that was held back (no sound device yet, a sleeping tab) has to be waited for.
    const left = endOf(sounds) - (playing?.time() ?? 0);
    if (left > 0.05) timer = window.setTimeout(end, left * 1000);
    else stop();
  };
  timer = window.setTimeout(end, (endOf(sounds) + kLead) * 1000);
  tell();
}

export const toggle = (key: string, notes: readonly TimedNote[]): void => {
  if (playing?.key === key) stop();
  else play(key, notes);
};

export const setTempo = (quartersPerMinute: number): void => {
  tempo = quartersPerMinute;
};
export const currentTempo = (): number => tempo;

/** A single note, as a key of the piano gives it. */
export function strike(midi: number): void {
  const at = audio();
  voice(at, at.destination, at.currentTime + 0.005, 0.35, frequency(midi));
}
