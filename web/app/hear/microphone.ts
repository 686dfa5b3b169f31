// The microphone as a source of frames. Sound never leaves the page, and none is kept.

import captureUrl from "./capture.worklet?worker&url";
import { PitchTracker, type Frame } from "./frames";

export type Refusal = "absent" | "refused" | "unsupported";

export interface Listening {
  stop: () => void;
}

/** What browsers do for telephony spoils a melody. */
const kPlainSound = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

const refusalOf = (error: unknown): Refusal =>
  error instanceof DOMException && ["NotFoundError", "NotReadableError", "OverconstrainedError"].includes(error.name) ? "absent" : "refused";

/** Asks for the microphone and reports frames until it is stopped. Rejects with a `Refusal`. */
export async function listen(heard: (frames: Frame[]) => void): Promise<Listening> {
  // Browsers give no microphone to pages from http, but for the own machine.
  if (!navigator.mediaDevices?.getUserMedia || typeof AudioWorkletNode === "undefined") throw "unsupported" satisfies Refusal;
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: kPlainSound });
  } catch (error) {
    throw refusalOf(error);
  }
  const context = new AudioContext();
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== "closed") void context.close();
  };
  try {
    await context.resume();
    await context.audioWorklet.addModule(captureUrl);
  } catch {
    stop();
    throw "unsupported" satisfies Refusal;
  }
  const tracker = new PitchTracker(context.sampleRate);
  const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => heard(tracker.push(data));
  context.createMediaStreamSource(stream).connect(node);
  return { stop };
}
