// Elements are only ever made here, and text only ever becomes text: no name in the data can turn into markup.

export type Child = Node | string | number | false | null | undefined | Child[];
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== false && child !== null && child !== undefined) parent.appendChild(new Text(String(child)));
  }
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

/** A box that scrolls by itself, so that a wide table never makes the page scroll; reachable by keyboard. */
export function scroller(label: string, ...children: Child[]): HTMLElement {
  return h("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, ...children);
}

export function choice(label: string, options: string[], chosen: (index: number) => void): HTMLLabelElement {
  const select = h("select", { change: () => chosen(select.selectedIndex) });
  for (const option of options) select.append(h("option", {}, option));
  return h("label", { class: "choice" }, h("span", {}, label), select);
}

/** A drawing is one image with one description; what its parts are called is of no use to anyone then. */
export function described<T extends Element>(drawing: T, description: string): T {
  for (const part of drawing.querySelectorAll("[aria-label], [aria-description]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-description");
  }
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", description);
  return drawing;
}

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Four decimals, as the tables of the command line have them. */
export function decimal(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) && Math.abs(value) >= 10 ? String(value) : value.toFixed(digits).replace("-", "−");
}

/** A p-value: never "0". */
/** As papers print it: four digits without the zero, "<.0001" below that. */
export const probability = (p: number): string => (p < 0.0001 ? "<.0001" : p.toFixed(4).replace(/^0\./, "."));
