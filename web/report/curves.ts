import * as Plot from "@observablehq/plot";
import { colour, dash, legend } from "./colours";
import { saveFile, svgText } from "./download";
import type { Curve, Point, Report } from "./data";
import { choice, decimal, described, h, scroller, section } from "./dom";
import { table } from "./table";

export interface Line {
  system: number;
  points: Point[];
  /** A line among many: thin and grey. */
  faint?: boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Some values along a line, for those who cannot see it. */
function inWords(points: Point[]): string {
  const every = Math.max(1, Math.ceil(points.length / 6));
  return points
    .filter((_, i) => i % every === 0 || i === points.length - 1)
    .map(([x, y]) => `${decimal(y, 2)} at ${decimal(x, 2)}`)
    .join(", ");
}

export function chart(curve: Curve, lines: Line[], names: string[], what: string): HTMLElement {
  const last = Math.max(1e-9, ...lines.flatMap((line) => line.points.map(([x]) => x)));
  const highest = Math.max(1, ...lines.flatMap((line) => line.points.map(([, y]) => y)));
  const share = curve.name !== "lift";
  const byPosition = curve.name === "dynamic-recall";
  const whole = curve.name === "precision-recall" || curve.name === "normalized-lift";
  const figure = Plot.plot({
    width: 380,
    height: 270,
    marginLeft: 44,
    marginBottom: 40,
    x: {
      label: capital(curve.x),
      domain: byPosition ? [1, Math.max(2, last)] : [0, whole ? 1 : last],
      ticks: byPosition ? Math.min(6, Math.max(1, last - 1)) : 6,
      tickFormat: byPosition ? "d" : undefined,
      grid: true,
    },
    y: { label: capital(curve.y), domain: [0, share ? 1 : highest], ticks: 6, grid: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      ...lines.flatMap((line) => {
        const options = {
          className: "one-line",
          stroke: line.faint ? "currentColor" : colour(line.system),
          strokeWidth: line.faint ? 1 : 2.4,
          strokeOpacity: line.faint ? 0.22 : 1,
          strokeDasharray: line.faint ? undefined : dash(line.system),
        };
        const one = line.points.length === 1;
        return one
          ? [Plot.dot(line.points, { fill: options.stroke, r: line.faint ? 2 : 4, fillOpacity: options.strokeOpacity })]
          : [Plot.line(line.points, options)];
      }),
    ],
  });
  const strong = lines.filter((line) => !line.faint);
  described(
    figure,
    `${curve.title}, ${what}: ${curve.y} over ${curve.x}. ` +
      strong.map((line) => `${names[line.system]}: ${inWords(line.points) || "no points"}`).join("; "),
  );
  const svg = figure instanceof SVGSVGElement ? figure : figure.querySelector("svg");
  const save = svg && h("button", { type: "button", class: "save-figure", click: () => saveFile(`${curve.name}.svg`, "image/svg+xml", svgText(svg)) }, "Download SVG");
  return h("figure", { class: "curve" }, h("figcaption", {}, curve.title), figure, save);
}

/** The height of a line at x, straight between points; nothing beyond its ends. */
export function heightAt(points: Point[], x: number): number | null {
  for (let i = 0; i < points.length; ++i) {
    const [x1, y1] = points[i] as Point;
    if (Math.abs(x1 - x) < 1e-9) return y1;
    const next = points[i + 1];
    if (next !== undefined && x1 < x && x < next[0]) return y1 + ((x - x1) / (next[0] - x1)) * (next[1] - y1);
  }
  return null;
}

/** The mean curves as numbers, at up to eleven places. */
function numbers(curve: Curve, names: string[]): HTMLElement {
  const means = (curve.systems ?? []).map((system) => system.mean);
  const end = Math.max(0, ...means.flatMap((mean) => mean.map(([x]) => x)));
  const byPosition = curve.name === "dynamic-recall";
  const places = byPosition
    ? Array.from({ length: Math.min(20, end) }, (_, i) => i + 1)
    : Array.from({ length: 11 }, (_, i) => (end * i) / 10);
  return scroller(
    `${curve.title} as numbers`,
    table({
      caption: `${curve.title}: mean ${curve.y} over ${curve.x}`,
      columns: [
        { title: capital(curve.x), sortable: false },
        ...names.map((title) => ({ title, numeric: true, sortable: false })),
      ],
      rows: places.map((x) => [
        { content: byPosition ? String(x) : decimal(x, end < 0.1 ? 4 : 2) },
        ...means.map((mean) => ({ content: decimal(heightAt(mean, x)) })),
      ]),
    }),
  );
}

export function curves(report: Report): HTMLElement {
  const names = report.systems.map((system) => system.name);
  const shown = new Set(names.keys());
  const defined = report.curves.filter((curve) => curve.systems !== undefined);
  const missing = report.curves.filter((curve) => curve.systems === undefined);
  const grid = h("div", { class: "grid" });
  let single = -1;

  const draw = (): void => {
    grid.replaceChildren(
      ...defined.map((curve) => {
        const lines: Line[] =
          single < 0
            ? [...shown].sort((a, b) => a - b).map((s) => ({ system: s, points: curve.systems?.[s]?.mean ?? [] }))
            : [
                ...(curve.systems?.[single]?.queries ?? []).map((points) => ({ system: single, points, faint: true })),
                { system: single, points: curve.systems?.[single]?.mean ?? [] },
              ];
        return chart(curve, lines, names, single < 0 ? "mean of each system" : `every query of ${names[single]}`);
      }),
    );
  };
  const systems = legend(names, shown, draw);
  draw();
  return section(
    "curves",
    "Curves",
    choice("Lines", ["Mean of each system", ...names.map((name) => `Every query of ${name}, and the mean`)], (index) => {
      single = index - 1;
      systems.hidden = single >= 0;
      draw();
    }),
    systems,
    grid,
    missing.length > 0 &&
      h("p", { class: "note" }, `Not drawn: ${missing.map((curve) => curve.undefined).join("; ")}.`),
    report.queries.length > report.details.lines &&
      h("p", { class: "note" }, `Lines of single queries are those of the first ${report.details.lines} queries.`),
    h(
      "details",
      {},
      h("summary", {}, "The mean curves as numbers"),
      defined.map((curve) => numbers(curve, names)),
    ),
  );
}
