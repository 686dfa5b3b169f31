// Runs where sound is made, apart from the page: collects samples and hands them over, about thirty times a second.

declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

class Capture extends AudioWorkletProcessor {
  private block = new Float32Array(Math.round(sampleRate / 30));
  private filled = 0;

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.block[this.filled++] = sample;
      if (this.filled < this.block.length) continue;
      this.port.postMessage(this.block, [this.block.buffer]);
      this.block = new Float32Array(Math.round(sampleRate / 30));
      this.filled = 0;
    }
    return true;
  }
}

registerProcessor("capture", Capture);
