// Words that every page says. A page in another language replaces them before it draws anything.

import { speechOf } from "./language";

const english = speechOf("en");

export const number = (value: number): string => english.number(value);
export const plural = (n: number, one: string, many = `${one}s`): string => english.plural(n, one, many);

export const commonInEnglish = {
  name: "Rondo",
  skipToMain: "Skip to the content",
  theme: { label: "Theme", auto: "Automatic", light: "Light", dark: "Dark" },
  language: "Language",
  play: { play: "Play", stop: "Stop", of: (what: string) => `Play ${what}`, stopOf: (what: string) => `Stop ${what}`, tempo: "Tempo", bpm: (n: number) => `♩ = ${n}` },
  copy: { copy: (what: string) => `Copy ${what}`, copied: "Copied" },
  offline: "The server does not answer. Is it still running?",
  retry: "Try again",
};
export type Common = typeof commonInEnglish;

export let common: Common = commonInEnglish;
export const speakCommon = (words: Common): void => {
  common = words;
};
