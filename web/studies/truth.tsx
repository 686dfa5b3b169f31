// The truth of a study while it is being made: another rule or threshold, and at once the groups that come of it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAsked } from "../shared/hooks";
import { bordersOf, groupsOf, type Query, type Rule, type Truth } from "../tables/data";
import { Tables } from "../tables/tables";
import { figure } from "../tables/texts";
import { api, type Study } from "./api";
import { Scroller, Trouble } from "./parts";
import { t } from "./texts";

const kRules: Rule[] = ["paper", "all", "any", "previous"];
const kThreshold = 0.25;
const kSettle = 120; // The slider may pass through many values.

interface Choice {
  rule: Rule;
  threshold: number;
  complete: boolean;
  /** Rankings that nobody declared finished count too. */
  unfinished: boolean;
  /** Candidates with fewer votes are unjudged. */
  minimum: number;
}

const kMostMinimum = 1000;

/** A whole number from 1 up; anything else is 1, which leaves nothing out. */
export const minimumOf = (text: string | null): number => {
  const n = Number(text ?? 1);
  return Number.isInteger(n) && n >= 1 && n <= kMostMinimum ? n : 1;
};

export function readChoice(search: string): Choice {
  const asked = new URLSearchParams(search);
  const rule = kRules.find((one) => one === asked.get("rule")) ?? "paper";
  const threshold = Number(asked.get("threshold") ?? kThreshold);
  return {
    rule,
    threshold: threshold > 0 && threshold <= 1 ? threshold : kThreshold,
    complete: asked.get("complete") === "1",
    unfinished: asked.get("unfinished") === "1",
    minimum: minimumOf(asked.get("min_votes")),
  };
}

/** What the server is asked for, and what the downloads ask for. */
const askedFor = ({ rule, threshold, unfinished, minimum }: Choice): URLSearchParams => {
  const asked = new URLSearchParams({ rule, threshold: String(threshold) });
  if (unfinished) asked.set("unfinished", "1");
  if (minimum > 1) asked.set("min_votes", String(minimum));
  return asked;
};

const searchOf = (choice: Choice): string => {
  const asked = askedFor(choice);
  if (choice.complete) asked.set("complete", "1");
  return `?${asked}`;
};

/** How many borders are in one of the two alone. */
export function difference(now: Query, before: Query | undefined): { groups: number; borders: number } | null {
  if (!before) return null;
  const [a, b] = [bordersOf(now), bordersOf(before)];
  const borders = a.filter((one) => !b.includes(one)).length + b.filter((one) => !a.includes(one)).length;
  return { groups: groupsOf(now) - groupsOf(before), borders };
}

function Summary({ truth, published }: { truth: Truth; published: Truth | null }): JSX.Element {
  const columns = t.truth.columns;
  return (
    <section aria-labelledby="summary-title">
      <h2 id="summary-title">
        {t.truth.summary} <span class="note">{t.truth.against}</span>
      </h2>
      <Scroller label={t.truth.summary}>
        <table class="plain summary">
          <thead>
            <tr>
              <th scope="col">{columns.query}</th>
              <th scope="col">{columns.groups}</th>
              <th scope="col">{columns.change}</th>
              <th scope="col">{columns.pairs}</th>
              <th scope="col">{columns.w}</th>
              <th scope="col">{columns.tau}</th>
              <th scope="col">{columns.votes}</th>
            </tr>
          </thead>
          <tbody>
            {truth.queries.map((query) => {
              const change = difference(query, published?.queries.find((one) => one.number === query.number));
              const moved = change !== null && (change.groups !== 0 || change.borders !== 0);
              return (
                <tr key={query.number} class={moved ? "moved" : ""}>
                  <th scope="row">
                    <a href={`#table-${query.number}`}>{query.label}</a>
                  </th>
                  <td data-groups>{groupsOf(query)}</td>
                  <td>{change === null ? "" : moved ? t.truth.change(change.groups, change.borders) : t.truth.same}</td>
                  <td>
                    {query.consistency.contradicting} / {query.consistency.pairs}
                  </td>
                  <td>{figure(query.agreement.kendall_w)}</td>
                  <td>{figure(query.agreement.mean_tau)}</td>
                  <td>{query.votes}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}

export function TruthPage({ study }: { study: Study }): JSX.Element {
  const [choice, setChoice] = useState(() => readChoice(location.search));
  const { rule, threshold, complete, unfinished, minimum } = choice;
  const votes = { unfinished, minimum };
  const { data, problem, busy } = useAsked(`${study.name} ${askedFor(choice)}`, kSettle, (signal) => api.truth(study.name, rule, threshold, votes, signal));
  const published = useAsked(`${study.name} ${unfinished} ${minimum}`, 0, (signal) => api.truth(study.name, "paper", kThreshold, votes, signal));
  useEffect(() => history.replaceState(history.state, "", location.pathname + searchOf(choice) + location.hash), [choice]);
  const set = (change: Partial<Choice>) => setChoice({ ...choice, ...change });
  const asked = askedFor(choice);
  const link = (what: string, name: string) => (
    <a class="button" href={api.download(study.name, what)} download>
      {name}
    </a>
  );
  const voted = data?.queries.some((query) => query.votes > 0) ?? false;
  return (
    <>
      <div class="rule-row">
        <label class="choice">
          <span>{t.truth.rule}</span>
          <select value={rule} onChange={(event) => set({ rule: event.currentTarget.value as Rule })}>
            {kRules.map((one) => (
              <option key={one} value={one}>
                {t.truth.rules[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="choice threshold">
          <span>
            {t.truth.threshold}: <output>{threshold}</output>
          </span>
          <input type="range" min={0.01} max={0.5} step={0.01} value={threshold} onInput={(event) => set({ threshold: Number(event.currentTarget.value) })} />
        </label>
        {threshold !== kThreshold && (
          <button type="button" onClick={() => set({ threshold: kThreshold })}>
            {t.truth.standard(kThreshold)}
          </button>
        )}
        <label class="tick">
          <input type="checkbox" checked={complete} onChange={(event) => set({ complete: event.currentTarget.checked })} />
          <span>{t.truth.complete}</span>
        </label>
        <label class="tick">
          <input type="checkbox" checked={unfinished} onChange={(event) => set({ unfinished: event.currentTarget.checked })} />
          <span>{t.truth.unfinished}</span>
        </label>
        <label class="choice minimum">
          <span>{t.truth.minimum}</span>
          <input type="number" min={1} max={kMostMinimum} step={1} value={minimum} onInput={(event) => set({ minimum: minimumOf(event.currentTarget.value) })} />
        </label>
        <p class="note" role="status">
          {busy ? t.truth.updating : data ? t.truth.said(data.queries.reduce((sum, query) => sum + groupsOf(query), 0)) : ""}
        </p>
      </div>
      <Trouble problem={problem} />
      {data && !voted && <p class="nothing-yet">{t.truth.none}</p>}
      {data && voted && (
        <>
          <div class="row downloads">
            {link(`/truth.txt?${asked}&format=groups`, t.truth.groups)}
            {link(`/truth.txt?${asked}&format=qrels`, t.truth.qrels)}
            {link(`/truth.txt?${asked}&format=json`, t.truth.json)}
            {link(`/tables.html?${asked}${complete ? "&complete=1" : ""}`, t.truth.tables)}
          </div>
          <Summary truth={data} published={published.data} />
          <Tables truth={data} complete={complete} before={published.data} />
        </>
      )}
    </>
  );
}
