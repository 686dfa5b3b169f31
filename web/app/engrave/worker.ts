// The only place that knows the engraver. One module, one toolkit, one melody at a time: many would use up the memory
// that a browser gives to WebAssembly.

import type { VerovioToolkit as Toolkit } from "verovio/esm";
import { VerovioToolkit } from "verovio/esm";
import { prepare, type Sounding } from "./mei";

export interface Order {
  ticket: number;
  mei: string;
  /** Width of the paper in pixels; notes beyond it go to the next line. */
  width: number;
  scale: number;
}

export interface Engraved {
  svg: string;
  sounding: Sounding[];
}

export type Answer = ({ ticket: number } & Engraved) | { ticket: number; error: string };

const kOptions = {
  adjustPageHeight: true,
  breaks: "auto",
  header: "none",
  footer: "none",
  pageMarginLeft: 0,
  pageMarginRight: 0,
  pageMarginTop: 30,
  pageMarginBottom: 30,
  mnumInterval: 0,
  svgRemoveXlink: true,
  svgViewBox: true,
  spacingSystem: 6,
  minLastJustification: 0.85,
  xmlIdSeed: 1,
};

let toolkit: Promise<Toolkit>;

const load = async (url: string): Promise<Toolkit> => {
  const { default: create } = await import(/* @vite-ignore */ url);
  return new VerovioToolkit(await create());
};

/**
 * Styles written into the picture would need a looser content security policy. The one that matters, lines in the colour
 * of their surroundings, becomes an attribute.
 */
const withoutStyles = (svg: string): string =>
  svg
    .replace(/<style[\s\S]*?<\/style>/g, "")
    .replace(/\sstyle="[^"]*"/g, "")
    .replace(/<(ellipse|path|polygon|polyline|rect)\b/g, '<$1 stroke="currentColor"');

async function engrave(order: Order): Promise<Engraved> {
  const tool = await toolkit;
  const { mei, sounding } = prepare(order.mei, `n${order.ticket}-`);
  const pageWidth = Math.max(100, Math.round((order.width * 100) / order.scale));
  tool.setOptions({ ...kOptions, xmlIdSeed: order.ticket + 1, scale: order.scale, pageWidth });
  if (!tool.loadData(mei)) throw new Error("not MEI");
  return { svg: withoutStyles(tool.renderToSVG(1)), sounding };
}

self.onmessage = async ({ data }: MessageEvent<Order | { engraver: string }>) => {
  if ("engraver" in data) {
    toolkit = load(data.engraver);
    toolkit.catch(() => undefined);
    return;
  }
  let answer: Answer;
  try {
    answer = { ticket: data.ticket, ...(await engrave(data)) };
  } catch (error) {
    answer = { ticket: data.ticket, error: String(error) };
  }
  self.postMessage(answer);
};
