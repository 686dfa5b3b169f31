// The only place that knows the engraver. One module, one toolkit, one melody at a time: many would use up the memory
// that a browser gives to WebAssembly.

import { enableLog, LOG_ERROR, VerovioToolkit } from "verovio/esm";
import { prepare, type Sounding } from "./mei";

export interface Paper {
  mei: string;
  /** Width of the paper in pixels; notes beyond it go to the next line. */
  width: number;
  scale: number;
}

export interface Engraved {
  svg: string;
  sounding: Sounding[];
}

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

/**
 * Styles written into the picture would need a looser content security policy. The one that matters, lines in the colour
 * of their surroundings, becomes an attribute.
 */
const withoutStyles = (svg: string): string =>
  svg
    .replace(/<style[\s\S]*?<\/style>/g, "")
    .replace(/\sstyle="[^"]*"/g, "")
    .replace(/<(ellipse|path|polygon|polyline|rect)\b/g, '<$1 stroke="currentColor"');

/** A function that engraves, made from the engraver's own module. Every order needs another ticket: ids are made of it. */
export function engraverOf(module: unknown): (paper: Paper, ticket: number) => Engraved {
  // That notes stand close on a narrow screen is no news for anybody's console.
  enableLog(LOG_ERROR, module);
  const tool = new VerovioToolkit(module);
  return (paper, ticket) => {
    const { mei, sounding } = prepare(paper.mei, `n${ticket}-`);
    const pageWidth = Math.max(100, Math.round((paper.width * 100) / paper.scale));
    tool.setOptions({ ...kOptions, xmlIdSeed: ticket + 1, scale: paper.scale, pageWidth });
    if (!tool.loadData(mei)) throw new Error("not MEI");
    return { svg: withoutStyles(tool.renderToSVG(1)), sounding };
  };
}
