import type { Report } from "./data";
import { count, decimal, h, scroller, section } from "./dom";
import { type Cell, table } from "./table";

/** One row per system, one column per measure, the best of each column in bold. */
export function summary(report: Report): HTMLElement {
  const best = report.measures.map((measure, m) => {
    const means = report.systems.map((system) => system.means[m]).filter((mean): mean is number => mean != null);
    return measure.higher_is_better ? Math.max(...means) : Math.min(...means);
  });
  const gaps = report.systems.some((system) => system.missing.length > 0);
  const rows = report.systems.map((system, s): Cell[] => [
    { content: system.name, key: system.name, class: "name" },
    ...report.measures.map((_, m): Cell => {
      const mean = system.means[m] ?? null;
      const interval = report.comparisons[m]?.systems?.[s]?.interval;
      const isBest = mean !== null && report.systems.length > 1 && Math.abs(mean - (best[m] ?? 0)) < 1e-12;
      return {
        key: mean,
        content: [
          h(isBest ? "strong" : "span", {}, decimal(mean)),
          interval && h("small", {}, `${decimal(interval[0], 3)}–${decimal(interval[1], 3)}`),
        ],
      };
    }),
    ...(gaps ? [{ content: system.missing.length, key: system.missing.length, class: system.missing.length > 0 ? "bad" : "" }] : []),
  ]);
  const level = report.comparisons.find((one) => one.systems)?.systems[0]?.level ?? 0.95;
  return section(
    "summary",
    "Summary",
    scroller(
      "Summary table",
      table({
        caption: `Means over ${count(report.queries.length, "query", "queries")}; below each its ${level * 100}% bootstrap interval. The best of each measure is bold.`,
        columns: [
          { title: "System" },
          ...report.measures.map((measure) => ({
            title: measure.name,
            note: measure.definition,
            numeric: true,
            lowFirst: !measure.higher_is_better,
          })),
          ...(gaps
            ? [{ title: "Unanswered", numeric: true, note: "Queries the system did not answer; they count as zero." }]
            : []),
        ],
        rows,
        class: "summary",
      }),
    ),
    report.measures.some((_, m) => report.systems[0]?.means[m] == null) &&
      h("p", { class: "note" }, "– : not defined without the number of documents in the collection"),
    h(
      "details",
      { class: "definitions" },
      h("summary", {}, "What the measures mean"),
      h(
        "dl",
        {},
        report.measures.map((measure) => [
          h("dt", {}, measure.name),
          h("dd", {}, measure.definition, " ", h("cite", {}, measure.reference)),
        ]),
      ),
    ),
  );
}
