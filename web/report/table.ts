import { type Child, h } from "./dom";

export interface Column {
  title: string;
  /** What the heading says when pointed at. */
  note?: string;
  numeric?: boolean;
  /** The first click puts the best on top. */
  lowFirst?: boolean;
  sortable?: boolean;
}

export interface Cell {
  content: Child;
  /** What the cell is sorted by; its place in the table when not given. Missing values always come last. */
  key?: number | string | null;
  class?: string;
  title?: string;
}

export interface TableOptions {
  caption: Child;
  columns: Column[];
  rows: Cell[][];
  /** Rows that stay below the others: means, intervals. */
  foot?: Cell[][];
  class?: string;
}

const names = new Intl.Collator("en", { numeric: true });

function compare(a: Cell, b: Cell, down: boolean): number {
  const [x, y] = [a.key ?? null, b.key ?? null];
  if (x === null || y === null) return Number(x === null) - Number(y === null);
  const order = typeof x === "number" && typeof y === "number" ? x - y : names.compare(String(x), String(y));
  return down ? -order : order;
}

function row(cells: Cell[], columns: Column[]): HTMLTableRowElement {
  return h(
    "tr",
    {},
    cells.map((cell, c) => {
      const attributes = {
        class: [columns[c]?.numeric ? "number" : "", cell.class ?? ""].join(" ").trim() || undefined,
        title: cell.title,
      };
      return c === 0 ? h("th", { scope: "row", ...attributes }, cell.content) : h("td", attributes, cell.content);
    }),
  );
}

/** A table whose columns sort by their headings, which are buttons and so work by mouse, touch and keyboard. */
export function table(options: TableOptions): HTMLTableElement {
  const { columns, rows } = options;
  const body = h("tbody");
  const lines = rows.map((cells) => ({ cells, element: row(cells, columns) }));
  body.append(...lines.map((line) => line.element));

  const headings = columns.map((column) =>
    h("th", { scope: "col", class: column.numeric ? "number" : undefined, title: column.note }),
  );
  const sort = (by: number): void => {
    const heading = headings[by];
    if (heading === undefined) return;
    const before = heading.getAttribute("aria-sort");
    const firstDown = columns[by]?.numeric === true && columns[by]?.lowFirst !== true;
    const down = before === null ? firstDown : before === "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const none: Cell = { content: "" };
    lines.sort((a, b) => compare(a.cells[by] ?? none, b.cells[by] ?? none, down));
    body.append(...lines.map((line) => line.element));
  };
  headings.forEach((heading, c) => {
    const title = columns[c]?.title ?? "";
    const sortable = columns[c]?.sortable !== false && rows.length > 1;
    heading.append(sortable ? h("button", { type: "button", class: "sort", click: () => sort(c) }, title) : title);
  });

  return h(
    "table",
    { class: [options.class, columns.length > 9 && "wide", columns.length > 14 && "widest"].filter(Boolean).join(" ") },
    h("caption", {}, h("span", {}, options.caption)),
    h("thead", {}, h("tr", {}, headings)),
    body,
    options.foot !== undefined && h("tfoot", {}, options.foot.map((cells) => row(cells, columns))),
  );
}
