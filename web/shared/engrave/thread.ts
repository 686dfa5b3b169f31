// Orders to the engraver in its thread, and its answers.

import engraverUrl from "verovio/wasm?url";
import { engraveWith } from "./engraver";
import type { Engraved, Paper } from "./toolkit";
import type { Answer, Order } from "./worker";

const expected = new Map<number, (answer: Answer) => void>();
let worker: Worker | null = null;
let tickets = 0;

/** The thread is started by the first order, or ahead of it when the page has nothing else to do. */
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

function order(paper: Paper): Promise<Engraved> {
  const ticket = ++tickets;
  return new Promise((done, failed) => {
    expected.set(ticket, (answer) => ("error" in answer ? failed(new Error(answer.error)) : done(answer)));
    startEngraver().postMessage({ ...paper, ticket } satisfies Order);
  });
}

engraveWith(order);
