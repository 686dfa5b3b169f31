// The engraver in a thread of its own, so that the page never waits for it.

import { engraverOf, type Engraved, type Paper } from "./toolkit";

export type Order = Paper & { ticket: number };
export type Answer = ({ ticket: number } & Engraved) | { ticket: number; error: string };

let engraver: Promise<ReturnType<typeof engraverOf>>;

const load = async (url: string): Promise<ReturnType<typeof engraverOf>> => {
  const { default: create } = await import(/* @vite-ignore */ url);
  return engraverOf(await create());
};

self.onmessage = async ({ data }: MessageEvent<Order | { engraver: string }>) => {
  if ("engraver" in data) {
    engraver = load(data.engraver);
    engraver.catch(() => undefined);
    return;
  }
  let answer: Answer;
  try {
    answer = { ticket: data.ticket, ...(await engraver)(data, data.ticket) };
  } catch (error) {
    answer = { ticket: data.ticket, error: String(error) };
  }
  self.postMessage(answer);
};
