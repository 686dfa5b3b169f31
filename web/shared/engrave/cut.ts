// A melody from the place on that matters.

import { attribute, tags } from "./mei";

/** MEI without the measures before the one in which note `index` begins; as it was if that is the first. */
export function fromMeasureOf(mei: string, index: number): string {
  const all = tags(mei);
  let start = -1;
  let first = -1;
  for (const [i, tag] of all.entries()) {
    if (tag.name === "measure" && tag.opens) {
      start = i;
      if (first < 0) first = i;
    }
    if (tag.name !== "note" || !tag.opens || attribute(tag, "xml:id") !== `n${index}`) continue;
    if (start <= first) return mei;
    return [...all.slice(0, first), ...all.slice(start)].map(({ text }) => text).join("");
  }
  return mei;
}
