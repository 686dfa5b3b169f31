// What a score asks for. Who engraves is said once by each page: a thread, or, in a file of its own, the page itself.

import { Queue } from "./queue";
import type { Engraved, Paper } from "./toolkit";

type Engrave = (paper: Paper) => Promise<Engraved>;

const queue = new Queue<Engraved>();
let order: Engrave = () => Promise.reject(new Error("no engraver"));

export const engraveWith = (engraver: Engrave): void => {
  order = engraver;
};

export interface Wish extends Paper {
  urgent: boolean;
}

const keyOf = ({ mei, width, scale }: Paper): string => `${width}:${scale}:${mei}`;

export const engravedBefore = (wish: Paper): Engraved | undefined => queue.peek(keyOf(wish));

export const engrave = ({ urgent, ...paper }: Wish, gone: () => boolean): Promise<Engraved> =>
  queue.get({ key: keyOf(paper), urgent, run: () => order(paper) }, gone);
