import * as Plot from "@observablehq/plot";
import { colour } from "./colours";
import type { Comparison, Report, SystemTest } from "./data";
import { type Child, choice, count, decimal, described, h, probability, scroller, section } from "./dom";
import { type Cell, table } from "./table";

const marked = (text: string, bold: boolean, italic: boolean): Child => {
  const inner = italic ? h("em", {}, text) : text;
  return bold ? h("strong", {}, inner) : inner;
};

const inWords = (test: SystemTest): string =>
  `${test.better} against ${test.other}: signed rank p ${probability(test.signed_rank.p)} (Holm ${probability(test.signed_rank_holm)}), ` +
  `randomization p ${probability(test.randomization.p)} (Holm ${probability(test.randomization_holm)}), ` +
  `Nemenyi p ${probability(test.nemenyi)}, Mann-Whitney U p ${probability(test.mann_whitney.p)}`;

function scores(report: Report, comparison: Comparison, m: number, open: (query: number) => void): HTMLElement {
  const allPairs = comparison.tests.length > comparison.systems.length - 1;
  const rows = report.queries.map((query, q): Cell[] => [
    {
      key: query,
      class: "name",
      content:
        q < report.details.queries
          ? h("a", { href: "#queries", click: () => open(q) }, query)
          : query,
    },
    ...comparison.systems.map((system, s): Cell => {
      const value = report.systems[s]?.values[m]?.[q] ?? null;
      const [bold, italic] = [system.best_of_query[q] === "1", system.best_of_system[q] === "1"];
      return { key: value, content: marked(decimal(value), bold, italic) };
    }),
  ]);
  const foot: Cell[][] = [
    [
      { content: "Mean" },
      ...comparison.systems.map((system): Cell => {
        const test = allPairs ? undefined : comparison.tests.find((one) => one.other === system.name);
        return {
          title: test && inWords(test),
          content: [decimal(system.mean), h("span", { class: "marks" }, test?.mark ?? "")],
        };
      }),
    ],
    [
      { content: `${(comparison.systems[0]?.level ?? 0.95) * 100}% interval` },
      ...comparison.systems.map((system): Cell => ({
        content: h("small", {}, `${decimal(system.interval[0], 3)}–${decimal(system.interval[1], 3)}`),
      })),
    ],
  ];
  return scroller(
    `${comparison.measure} of every query`,
    table({
      caption: [
        `${comparison.measure} of every query. `,
        h("strong", {}, "Bold"),
        ": best of the query; ",
        h("em", {}, "italic"),
        ": best of the system.",
        comparison.tests.length > 0 &&
          !allPairs &&
          ` Marks: the difference to ${comparison.baseline} by the paired Wilcoxon signed rank test with Holm's correction, * p < .10, ** p < .05, *** p < .01.`,
      ],
      columns: [
        { title: "Query" },
        ...comparison.systems.map((system) => ({
          title: system.name,
          numeric: true,
          lowFirst: !comparison.higher_is_better,
        })),
      ],
      rows,
      foot,
      class: "scores",
    }),
  );
}

function tests(comparison: Comparison): Child {
  const [first] = comparison.tests;
  if (first === undefined) return null;
  const p = (value: number): Cell => ({
    key: value,
    content: probability(value),
    class: value < 0.05 ? "small-p" : undefined,
  });
  return [
    scroller(
      `Tests of ${comparison.measure}`,
      table({
        caption: `Tests of ${comparison.measure}; p-values below .05 are marked. The queries are the same for all systems, so the paired tests are the ones to trust.`,
        columns: [
          { title: "Compared" },
          { title: "Difference", numeric: true },
          { title: "Signed rank", numeric: true, lowFirst: true, note: "Wilcoxon, paired, two-sided" },
          { title: "Holm", numeric: true, lowFirst: true, note: "Signed rank, corrected for all tests" },
          { title: "Mark", sortable: false, note: "Of the signed rank test with Holm's correction: * p < .10, ** p < .05, *** p < .01" },
          { title: "Randomization", numeric: true, lowFirst: true, note: "Paired, two-sided" },
          { title: "Holm", numeric: true, lowFirst: true, note: "Randomization, corrected for all tests" },
          { title: "Nemenyi", numeric: true, lowFirst: true, note: "Of mean ranks, after Friedman's test, corrected for all pairs" },
          { title: "Mann-Whitney U", numeric: true, lowFirst: true, note: "One-tailed, unpaired: is the first better?" },
        ],
        rows: comparison.tests.map((test): Cell[] => [
          { content: `${test.better} : ${test.other}`, key: `${test.better} : ${test.other}`, class: "name" },
          { content: (test.difference < 0 ? "" : "+") + decimal(test.difference), key: test.difference },
          p(test.signed_rank.p),
          p(test.signed_rank_holm),
          { content: test.mark },
          p(test.randomization.p),
          p(test.randomization_holm),
          p(test.nemenyi),
          p(test.mann_whitney.p),
        ]),
      }),
    ),
    h(
      "p",
      { class: "note" },
      `How: Mann-Whitney ${first.mann_whitney.method}, signed rank ${first.signed_rank.method}, ` +
        `randomization ${first.randomization.method}; Holm's correction over ${count(comparison.tests.length, "test")}.` +
        (comparison.friedman
          ? ` All systems at once: Friedman, chi square ${comparison.friedman.statistic.toFixed(3)}, ${comparison.friedman.degrees} df, p ${probability(comparison.friedman.p)}.`
          : ""),
    ),
  ];
}

/** Means with their intervals, the best on top. */
function intervals(comparison: Comparison): HTMLElement {
  const data = comparison.systems.map((system, s) => ({
    name: system.name,
    mean: system.mean,
    low: system.interval[0],
    high: system.interval[1],
    stroke: colour(s),
  }));
  data.sort((a, b) => (comparison.higher_is_better ? b.mean - a.mean : a.mean - b.mean));
  const longest = Math.max(...data.map((one) => one.name.length));
  const chart = Plot.plot({
    width: Math.min(640, window.innerWidth - 60),
    height: 46 + 24 * data.length,
    marginLeft: Math.min(220, 16 + 7 * longest),
    marginRight: 16,
    marginTop: 4,
    marginBottom: 34,
    x: { label: `mean ${comparison.measure}`, grid: true, ticks: 6, inset: 8 },
    y: { label: null, domain: data.map((one) => one.name), tickFormat: (name: string) => shortened(name) },
    marks: [
      Plot.ruleY(data, { y: "name", x1: "low", x2: "high", stroke: "stroke", strokeWidth: 3, strokeOpacity: 0.5 }),
      Plot.dot(data, { y: "name", x: "mean", fill: "stroke", r: 5 }),
    ],
  });
  described(
    chart,
    `Mean ${comparison.measure} with intervals. ` +
      data.map((one) => `${one.name}: ${decimal(one.mean)}, ${decimal(one.low)} to ${decimal(one.high)}`).join("; "),
  );
  return h(
    "figure",
    { class: "intervals" },
    chart,
    h("figcaption", {}, "Means and their bootstrap intervals (BCa, 10,000 resamples over the queries)"),
  );
}

export const shortened = (name: string, most = 28): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

/** The measures one by one, as papers print them: queries down, systems across. */
export function comparisons(report: Report, open: (query: number) => void): HTMLElement {
  const place = h("div");
  const show = (m: number): void => {
    const comparison = report.comparisons[m];
    if (comparison === undefined) return;
    if (comparison.undefined) {
      place.replaceChildren(
        h("p", {}, `${comparison.measure} is not defined without the number of documents in the collection.`),
      );
      return;
    }
    place.replaceChildren(
      intervals(comparison),
      scores(report, comparison, m, open),
      h("p", { class: "note" }, `Mean of the best of each query: ${decimal(comparison.mean_of_best)}`),
      ...([tests(comparison)].flat().filter((part) => part instanceof Node) as Node[]),
    );
  };
  show(0);
  return section(
    "comparison",
    "Comparison",
    choice(
      "Measure",
      report.measures.map((measure) => measure.name),
      show,
    ),
    place,
  );
}
