// From the engraver's text to elements of the page, and from notes of the melody to what stands for them on the paper.

import { idsOfNotes } from "./mei";
import type { Engraved } from "./toolkit";

/** Elements of every note, in the order of the melody; a tied note has several. */
export type NoteElements = Element[][];

export function place(engraved: Engraved, into: Element, notes: number): NoteElements {
  const parsed = new DOMParser().parseFromString(engraved.svg, "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true) as unknown as SVGSVGElement;
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 0 0").split(" ");
  svg.setAttribute("width", width ?? "0");
  svg.setAttribute("height", height ?? "0");
  // The picture has one description, that of the box around it.
  svg.querySelector("desc")?.remove();
  // Bars of an incipit have no numbers.
  for (const number of svg.querySelectorAll("g.mNum")) number.remove();
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const byId = new Map<string, Element>();
  for (const note of svg.querySelectorAll("g.note")) byId.set(note.id, note);
  const result = idsOfNotes(engraved.sounding, notes).map((ids) =>
    ids.flatMap((id) => byId.get(id) ?? []),
  );
  // The same melody may stand on the page twice; ids may not.
  for (const one of svg.querySelectorAll("g[id]:not(defs g)")) one.removeAttribute("id");
  into.replaceChildren(svg);
  return result;
}

/** Marks the notes that match; without any, none is marked as the odd one out either. */
export function colour(elements: NoteElements, matched: readonly number[]): void {
  const chosen = new Set(matched);
  elements.forEach((parts, note) => {
    for (const part of parts) {
      part.classList.toggle("match", chosen.has(note));
      part.classList.toggle("other", chosen.size > 0 && !chosen.has(note));
    }
  });
}
