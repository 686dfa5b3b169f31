import type { Report, Value } from "./data";
import { count, h, section } from "./dom";

declare const __PLOT_VERSION__: string;

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const csvField = (value: string | Value | undefined): string => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csv = (rows: (string | Value | undefined)[][]): string => rows.map((row) => `${row.map(csvField).join(",")}\n`).join("");

/** As `rondo evaluate -q --format csv` writes it. */
export function valuesCsv(report: Report): string {
  return csv([
    ["run", "query", ...report.measures.map((measure) => measure.name)],
    ...report.systems.flatMap((system) => [
      ...report.queries.map((query, q) => [system.name, query, ...system.values.map((values) => values[q])]),
      [system.name, "all", ...system.means],
    ]),
  ]);
}

export function testsCsv(report: Report): string {
  return csv([
    ["measure", "better", "other", "difference", "mark", "signed_rank", "signed_rank_holm", "randomization", "randomization_holm", "nemenyi", "mann_whitney"],
    ...report.comparisons.flatMap((comparison) =>
      (comparison.tests ?? []).map((test) => [
        comparison.measure,
        test.better,
        test.other,
        test.difference,
        test.mark,
        test.signed_rank.p,
        test.signed_rank_holm,
        test.randomization.p,
        test.randomization_holm,
        test.nemenyi,
        test.mann_whitney.p,
      ]),
    ),
  ]);
}

/** Where the page comes from, and its data to take away. */
export function about(report: Report, json: string): HTMLElement {
  const { provenance, truth } = report;
  const facts: [string, string | Node][] = [
    ["Command", h("code", { class: "command" }, provenance.command)],
    ["Created", provenance.created.replace("T", " ").replace("Z", " UTC")],
    ["Versions", `Rondo ${provenance.rondo} (compiler ${provenance.compiler}), Observable Plot ${__PLOT_VERSION__}`],
    [
      "Truth",
      [
        truth.file,
        count(report.queries.length, "query", "queries"),
        truth.complete ? "complete: documents that are not listed are not relevant" : "documents that are not listed are unjudged",
        truth.query_excluded ? "the query itself is removed from every result list" : "",
        truth.collection_size > 0 ? count(truth.collection_size, "document") : "size of the collection unknown",
      ]
        .filter(Boolean)
        .join("; "),
    ],
    [
      "Runs",
      h(
        "ul",
        {},
        report.systems.map((system) => h("li", {}, system.name, system.file && ` (${system.file})`)),
      ),
    ],
  ];
  return section(
    "about",
    "About this report",
    h(
      "dl",
      { class: "facts" },
      facts.map(([name, what]) => [h("dt", {}, name), h("dd", {}, what)]),
    ),
    h(
      "p",
      { class: "row downloads" },
      h("button", { type: "button", click: () => save("evaluation.json", "application/json", json) }, "All data (JSON)"),
      h("button", { type: "button", click: () => save("values.csv", "text/csv", valuesCsv(report)) }, "Values (CSV)"),
      h("button", { type: "button", click: () => save("tests.csv", "text/csv", testsCsv(report)) }, "Tests (CSV)"),
    ),
  );
}
