import { colour, swatch } from "./colours";
import { chart } from "./curves";
import type { Answer, Report } from "./data";
import { type Child, count, decimal, h, scroller, section } from "./dom";
import { type Cell, table } from "./table";

/** Groups get paler from the first on; a word says the same to those who see no colour. */
function badge(group: number): HTMLElement {
  if (group > 0) {
    const label = `group ${group}`;
    return h("span", { class: "group", "data-group": Math.min(group, 4), title: label }, h("span", { class: "hidden" }, "group "), group);
  }
  const [sign, words] = group === 0 ? ["✕", "not relevant"] : ["?", "not judged"];
  return h("span", { class: "group none", title: words }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "hidden" }, words));
}

function answerTable(name: string, system: number, answer: Answer | undefined): HTMLElement {
  const box = (...children: Child[]): HTMLElement =>
    h("div", { class: "answer", style: `--own: ${colour(system)}` }, ...children);
  const heading = h("h4", {}, swatch(system), " ", name);
  if (answer === undefined || answer.missing) return box(heading, h("p", { class: "bad" }, "No results for this query."));
  const documents = answer.documents ?? [];
  const rows = documents.map((document, i): Cell[] => [
    { content: i + 1, class: "number" },
    { content: h("span", { "data-document": document }, document), class: "document" },
    { content: badge(answer.groups?.[i] ?? -1) },
    { content: decimal(answer.scores?.[i]), class: "number" },
  ]);
  const rest = answer.retrieved - documents.length;
  return box(
    heading,
    h("p", { class: "note" }, `${answer.found} of ${answer.relevant} found in ${count(answer.retrieved, "document")}`),
    scroller(
      `Results of ${name}`,
      table({
        caption: h("span", { class: "hidden" }, `Results of ${name}, best first`),
        columns: [
          { title: "Rank", sortable: false, numeric: true },
          { title: "Document", sortable: false },
          { title: "Truth", sortable: false },
          { title: "Score", sortable: false, numeric: true },
        ],
        rows,
        class: "ranks",
      }),
    ),
    rest > 0 && h("p", { class: "note" }, `and ${count(rest, "more document")}, not shown on this page`),
  );
}

function truthOf(report: Report, query: number): HTMLElement {
  return h(
    "div",
    { class: "truth" },
    h("h4", {}, "Relevant documents"),
    h(
      "ol",
      {},
      (report.truth.groups[query] ?? []).map((group, g) =>
        h(
          "li",
          {},
          badge(g + 1),
          group.documents.map((document) => [" ", h("span", { class: "chip", "data-document": document }, document)]),
          group.size > group.documents.length && ` and ${count(group.size - group.documents.length, "more", "more")}`,
        ),
      ),
    ),
    (report.truth.groups[query] ?? []).length === 0 && h("p", { class: "note" }, "Nothing is relevant to this query."),
  );
}

function measuresOf(report: Report, query: number): HTMLElement {
  return scroller(
    "Measures of the query",
    table({
      caption: `Measures of ${report.queries[query] ?? ""}`,
      columns: [
        { title: "System" },
        ...report.measures.map((measure) => ({
          title: measure.name,
          numeric: true,
          note: measure.definition,
          lowFirst: !measure.higher_is_better,
        })),
      ],
      rows: report.systems.map((system) => [
        { content: system.name, key: system.name, class: "name" },
        ...system.values.map((values) => ({ content: decimal(values[query]), key: values[query] ?? null })),
      ]),
    }),
  );
}

/** Pointing at a document shows where the other systems have it. */
function linkDocuments(place: HTMLElement): void {
  const mark = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-document]") : null;
    const document = target?.dataset.document;
    for (const one of place.querySelectorAll<HTMLElement>("[data-document]"))
      one.classList.toggle("same", document !== undefined && one.dataset.document === document);
  };
  place.addEventListener("pointerover", mark);
  place.addEventListener("pointerleave", mark);
}

export interface QuerySection {
  element: HTMLElement;
  open: (query: number) => void;
}

export function queries(report: Report): QuerySection {
  const detailed = Math.min(report.queries.length, report.details.queries);
  const names = report.systems.map((system) => system.name);
  const place = h("div", { "aria-live": "polite" });
  linkDocuments(place);
  const select = h("select", { id: "query", change: () => open(select.selectedIndex) });
  select.append(...report.queries.slice(0, detailed).map((query) => h("option", {}, query)));
  const step = (by: number): void => open((select.selectedIndex + by + detailed) % detailed);

  function open(query: number): void {
    select.selectedIndex = query;
    const drawn = report.curves.filter((curve) => curve.systems !== undefined && query < report.details.lines);
    place.replaceChildren(
      h("h3", {}, report.queries[query] ?? ""),
      measuresOf(report, query),
      truthOf(report, query),
      h(
        "div",
        { class: "answers" },
        report.systems.map((system, s) => answerTable(system.name, s, system.answers[query])),
      ),
      h(
        "div",
        { class: "grid small" },
        drawn.slice(0, 3).map((curve) =>
          chart(
            curve,
            names.map((_, s) => ({ system: s, points: curve.systems?.[s]?.queries[query] ?? [] })),
            names,
            `query ${report.queries[query]}`,
          ),
        ),
      ),
    );
  }
  open(0);
  const element = section(
    "queries",
    "Query by query",
    h(
      "div",
      { class: "row" },
      h("label", { class: "choice", for: "query" }, h("span", {}, "Query"), select),
      h("button", { type: "button", click: () => step(-1) }, "Previous"),
      h("button", { type: "button", click: () => step(1) }, "Next"),
    ),
    detailed < report.queries.length &&
      h("p", { class: "note" }, `The first ${detailed} of ${report.queries.length} queries are shown here.`),
    place,
  );
  return { element, open };
}
