import "../shared/style/hidden.css";
import "./style.css";
import "./tables.css";
import "./figures.css";
import "./media.css";
import { about } from "./about";
import { comparisons } from "./comparison";
import { curves } from "./curves";
import { readReport } from "./data";
import { count, h } from "./dom";
import { queries } from "./queries";
import { summary } from "./summary";
import { warnings } from "./warnings";

const { report, text } = readReport();
const drill = queries(report);
const links = [
  ["summary", "Summary"],
  ["comparison", "Comparison"],
  ["curves", "Curves"],
  ["queries", "Queries"],
  ["about", "About"],
] as const;

document.body.append(
  h("a", { class: "skip", href: "#summary" }, "Skip to the results"),
  h(
    "header",
    {},
    h("p", { class: "brand" }, "Rondo"),
    h("h1", {}, report.title),
    h(
      "p",
      { class: "lead" },
      `${count(report.systems.length, "system")}, ${count(report.queries.length, "query", "queries")}, ${count(report.measures.length, "measure")}`,
    ),
  ),
  h(
    "nav",
    { "aria-label": "Sections" },
    h(
      "ul",
      {},
      links.map(([id, title]) => h("li", {}, h("a", { href: `#${id}` }, title))),
    ),
  ),
  h(
    "main",
    {},
    ...[warnings(report)],
    summary(report),
    comparisons(report, drill.open),
    curves(report),
    drill.element,
    about(report, text),
  ),
);
