// In a file of its own the page engraves by itself: there is no other file to start a thread from. The engraver comes
// packed within the script; the page stays responsive because it breathes between two incipits.

import create, { packed } from "virtual:engraver";
import { engraveWith } from "../shared/engrave/engraver";
import { engraverOf } from "../shared/engrave/toolkit";

async function unpack(text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let engraver: Promise<ReturnType<typeof engraverOf>> | null = null;
let tickets = 0;

const load = async () => engraverOf(await create({ wasm: await unpack(packed) }));
const breath = () => new Promise((done) => setTimeout(done));

engraveWith(async (paper) => {
  engraver ??= load();
  const engrave = await engraver;
  await breath();
  return engrave(paper, ++tickets);
});
