// Words that every page says. A translation is a copy of this file and of each page's own.

export const number = (value: number): string => value.toLocaleString("en-GB");
export const plural = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`;

export const common = {
  name: "Rondo",
  skipToMain: "Skip to the content",
  theme: { label: "Theme", auto: "Automatic", light: "Light", dark: "Dark" },
  play: { play: "Play", stop: "Stop", of: (what: string) => `Play ${what}`, stopOf: (what: string) => `Stop ${what}`, tempo: "Tempo", bpm: (n: number) => `♩ = ${n}` },
  copy: { copy: (what: string) => `Copy ${what}`, copied: "Copied" },
  offline: "The server does not answer. Is it still running?",
  retry: "Try again",
};
