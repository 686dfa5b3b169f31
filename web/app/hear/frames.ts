// Sound to frames: a hundred times a second the pitch, how sure it is, and how loud it was.

import { PitchDetector } from "pitchy";

export interface Frame {
  /** Seconds from the beginning, at the middle of the frame. */
  time: number;
  /** Pitch as a MIDI number with its fraction; null where there is none. */
  midi: number | null;
  /** 0 to 1: how periodic the sound is. */
  clarity: number;
  /** Loudness in decibels; 0 is full scale. */
  level: number;
}

const kWindow = 0.043; // three and a half periods of the lowest voice
const kHop = 0.01;
const kLowest = 70; // Hz: below is hum of the mains and rumble
const kHighest = 3600; // Hz: above the highest whistle
const kSure = 0.7;
const kQuietest = -100; // dB

const midiOf = (frequency: number): number => 69 + 12 * Math.log2(frequency / 440);

/** Takes samples in pieces of any length; every piece returns the frames that it completed. */
export class PitchTracker {
  private readonly window: number;
  private readonly hop: number;
  private readonly detector: PitchDetector<Float32Array>;
  private readonly buffer: Float32Array;
  private filled = 0;
  private frames = 0;
  private lastIn = 0;
  private lastOut = 0;
  private readonly keep: number;

  constructor(private readonly sampleRate: number) {
    this.window = Math.round(kWindow * sampleRate);
    this.hop = Math.round(kHop * sampleRate);
    this.detector = PitchDetector.forFloat32Array(this.window);
    this.detector.minVolumeDecibels = kQuietest;
    this.buffer = new Float32Array(this.window);
    // A high-pass filter of one pole, at 50 Hz.
    this.keep = Math.exp((-2 * Math.PI * 50) / sampleRate);
  }

  push(samples: Float32Array): Frame[] {
    const result: Frame[] = [];
    for (const sample of samples) {
      this.lastOut = this.keep * (this.lastOut + sample - this.lastIn);
      this.lastIn = sample;
      this.buffer[this.filled++] = this.lastOut;
      if (this.filled < this.window) continue;
      result.push(this.frame());
      this.buffer.copyWithin(0, this.hop);
      this.filled -= this.hop;
    }
    return result;
  }

  private frame(): Frame {
    const time = (this.frames++ * this.hop + this.window / 2) / this.sampleRate;
    const [frequency, clarity] = this.detector.findPitch(this.buffer, this.sampleRate);
    const voiced = clarity >= kSure && frequency >= kLowest && frequency <= kHighest;
    return { time, midi: voiced ? midiOf(frequency) : null, clarity, level: this.level() };
  }

  /** Of the middle of the window alone, so that short dips between notes show. */
  private level(): number {
    const from = Math.round((this.window - 1.5 * this.hop) / 2);
    const to = from + Math.round(1.5 * this.hop);
    let sum = 0;
    for (let i = from; i < to; ++i) sum += (this.buffer[i] ?? 0) ** 2;
    return Math.max(kQuietest, 10 * Math.log10(sum / (to - from) + 1e-12));
  }
}
