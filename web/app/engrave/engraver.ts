import engraverUrl from "verovio/wasm?url";
import { Queue } from "./queue";
import type { Answer, Engraved, Order } from "./worker";

const queue = new Queue<Engraved>();
const expected = new Map<number, (answer: Answer) => void>();
let worker: Worker | null = null;
let tickets = 0;

/** The worker is started by the first wish, or ahead of it when the page has nothing else to do. */
export function startEngraver(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "engraver" });
  worker.postMessage({ engraver: new URL(engraverUrl, document.baseURI).href });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    expected.get(data.ticket)?.(data);
    expected.delete(data.ticket);
  };
  return worker;
}

function order(mei: string, width: number, scale: number): Promise<Engraved> {
  const ticket = ++tickets;
  return new Promise((done, failed) => {
    expected.set(ticket, (answer) => ("error" in answer ? failed(new Error(answer.error)) : done(answer)));
    startEngraver().postMessage({ ticket, mei, width, scale } satisfies Order);
  });
}

export interface Wish {
  mei: string;
  width: number;
  scale: number;
  urgent: boolean;
}

const keyOf = ({ mei, width, scale }: Wish): string => `${width}:${scale}:${mei}`;

export const engravedBefore = (wish: Wish): Engraved | undefined => queue.peek(keyOf(wish));

export const engrave = (wish: Wish, gone: () => boolean): Promise<Engraved> =>
  queue.get({ key: keyOf(wish), urgent: wish.urgent, run: () => order(wish.mei, wish.width, wish.scale) }, gone);
