import { h } from "./dom";

// Eight colours that can be told apart, also by the colour-blind, defined in the style for light and dark; and eight
// dashes, so that lines can be told apart without colour, in a printed paper say. Systems beyond the eighth get the
// colours again, each with another dash.
const kColours = 8;
const kDashes = ["", "6 3", "2 3", "9 3 2 3", "12 4", "6 2 2 2 2 2", "3 2", "14 3 4 3"];

export const colour = (system: number): string => `var(--s${(system % kColours) + 1})`;
export const dash = (system: number): string | undefined =>
  kDashes[(system + Math.floor(system / kColours)) % kDashes.length] || undefined;

/** A short piece of the system's line. */
export function swatch(system: number): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("viewBox", "0 0 24 8");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [name, value] of Object.entries({ x1: "1", x2: "23", y1: "4", y2: "4", "stroke-width": "3" }))
    line.setAttribute(name, value);
  line.setAttribute("stroke", colour(system));
  const dashes = dash(system);
  if (dashes) line.setAttribute("stroke-dasharray", dashes);
  svg.append(line);
  return svg;
}

/** Which system is which line; each can be taken out and put back. */
export function legend(names: string[], shown: Set<number>, changed: () => void): HTMLElement {
  return h(
    "fieldset",
    { class: "legend" },
    h("legend", {}, "Systems shown"),
    names.map((name, s) => {
      const box = h("input", {
        type: "checkbox",
        checked: shown.has(s),
        change: () => {
          if (box.checked) shown.add(s);
          else shown.delete(s);
          changed();
        },
      });
      return h("label", {}, box, swatch(s), h("span", {}, name));
    }),
  );
}
