import type { Report } from "./data";
import { type Child, count, h } from "./dom";

const kMost = 200;

/** What a reader must know before believing a number. */
export function warnings(report: Report): Child {
  const missing = report.systems.filter((system) => system.missing.length > 0);
  if (missing.length === 0 && report.warnings.length === 0) return null;
  const list = report.warnings.slice(0, kMost);
  return h(
    "section",
    { class: "warnings", "aria-labelledby": "warnings-title" },
    h("h2", { id: "warnings-title" }, "Mind this"),
    missing.length > 0 &&
      h(
        "ul",
        {},
        missing.map((system) =>
          h(
            "li",
            {},
            h("strong", {}, system.name),
            ` leaves ${count(system.missing.length, "query", "queries")} unanswered, counted as zero: `,
            system.missing.slice(0, 10).join(", "),
            system.missing.length > 10 && " …",
          ),
        ),
      ),
    h(
      "details",
      {},
      h("summary", {}, count(report.warnings.length, "remark")),
      h(
        "ul",
        {},
        list.map((text) => h("li", {}, text)),
      ),
      report.warnings.length > kMost && h("p", {}, `and ${report.warnings.length - kMost} more, in the data`),
    ),
  );
}
