import type { Report } from "./data";
import { type Child, count, h } from "./dom";

const kMost = 200;
/** Systems that are named one by one. */
const kSystems = 4;

const words: Record<string, string> = {
  "evaluation-missing-query": "queries without results, which count as zero",
  "evaluation-unknown-query": "queries of a run that are not in the truth and are ignored",
  "mirex-absent-documents": "melodies of the truth that are not in the collection (see the warning)",
  "run-ties": "equal scores, ordered by document id as trec_eval does",
  "run-tags": "runs with more than one tag",
  "truth-gap": "numbers between groups of the truth that are not used",
  "truth-no-relevant": "queries without relevant documents",
};

/** What a reader must know before believing a number: in short what kind of remarks there are, and all of them. */
export function warnings(report: Report): Child {
  if (report.warnings.length === 0) return null;
  const kinds = Map.groupBy(report.warnings, (warning) => warning.code);
  const unanswered = report.systems.filter((system) => system.missing.length > 0);
  return h(
    "section",
    { class: "warnings", "aria-labelledby": "warnings-title" },
    h("h2", { id: "warnings-title" }, "Warnings"),
    h(
      "ul",
      {},
      unanswered.length > kSystems &&
        h("li", {}, `${unanswered.length} systems leave queries unanswered, which count as zero; the summary says how many`),
      unanswered.slice(0, unanswered.length > kSystems ? 0 : kSystems).map((system) =>
        h(
          "li",
          {},
          h("strong", {}, system.name),
          ` leaves ${count(system.missing.length, "query", "queries")} unanswered, counted as zero: `,
          system.missing.slice(0, 8).join(", "),
          system.missing.length > 8 && " …",
        ),
      ),
      [...kinds].map(
        ([code, list]) =>
          code !== "evaluation-missing-query" && h("li", {}, `${words[code] ?? code}: ${list.length.toLocaleString("en")}`),
      ),
    ),
    h(
      "details",
      {},
      h("summary", {}, `All ${count(report.warnings.length, "warning")}`),
      h(
        "ul",
        {},
        report.warnings.slice(0, kMost).map((warning) => h("li", {}, warning.text)),
      ),
      report.warnings.length > kMost && h("p", {}, `and ${report.warnings.length - kMost} more, in the data`),
    ),
  );
}
