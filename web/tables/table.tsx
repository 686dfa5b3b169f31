// The table of one query: median rank, incipit with its names, ranks as a plot, tests as a bar; a rule at every border.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Score } from "../shared/engrave/score";
import { usePlayingKey } from "../shared/hooks";
import { PlayButton } from "../shared/parts/play-button";
import { groupsOf, shelfmarkOf, type Candidate, type Described, type Query } from "./data";
import { scaleFor, shown, type Scale } from "./geometry";
import { BoxPlot, TestBar } from "./plot";
import { figure, named, t } from "./texts";

const kWidth = 330;
const kScale = 30;
const kCompactScale = 22;

function Incipit({ one, playKey, compact }: { one: Described; playKey: string; compact: boolean }): JSX.Element {
  const playing = usePlayingKey() === playKey;
  const notes = one.notes ?? [];
  const shelfmark = shelfmarkOf(one);
  return (
    <>
      <div class="incipit">
        {notes.length > 0 && <PlayButton id={playKey} notes={notes} what={named(one)} />}
        {one.mei && <Score mei={one.mei} notes={notes.length} label={named(one)} playing={playing ? playKey : ""} key={compact ? "compact" : "full"} scale={compact ? kCompactScale : kScale} always />}
      </div>
      <p class="names">
        <span class="name">{named(one)}</span>
        {shelfmark && <span class="shelfmark">{shelfmark}</span>}
        <code class="id">{one.id}</code>
      </p>
    </>
  );
}

interface RowProps {
  one: Candidate;
  scale: Scale;
  playKey: string;
  mark: string;
  fresh: boolean;
  compact: boolean;
}

function Row({ one, scale, playKey, mark, fresh, compact }: RowProps): JSX.Element {
  return (
    <tr class={`${one.border_above ? "border" : ""}${one.group === 0 ? " beyond" : ""}${fresh ? " fresh" : ""}`} data-id={one.id} data-group={one.group}>
      <th scope="row">
        {mark && <span class="hidden">{mark}. </span>}
        {one.votes === 0 ? "–" : figure(one.median)}
      </th>
      <td>
        <Incipit one={one} playKey={playKey} compact={compact} />
        {one.planted && <p class="folded">{t.planted}</p>}
        {one.folded && one.folded.length > 0 && <p class="folded">{t.folded(one.folded)}</p>}
      </td>
      <td>
        <BoxPlot summary={one} scale={scale} label={t.plot(one)} />
        <TestBar p={one.p} width={scale.width} />
        <p class="votes">{one.votes === 0 ? t.noVotes : t.votes(one.votes)}</p>
      </td>
    </tr>
  );
}

interface Props {
  query: Query;
  complete: boolean;
  /** One line a candidate. */
  compact?: boolean | undefined;
  /** Borders that were elsewhere a moment ago are pointed out. */
  before?: readonly string[] | undefined;
}

export function QueryTable({ query, complete, compact = false, before }: Props): JSX.Element {
  const [all, setAll] = useState(false);
  const { candidates } = query;
  const count = shown(candidates, complete || all);
  const rows = candidates.slice(0, count);
  const scale = scaleFor(rows, kWidth);
  const groups = groupsOf(query);
  const borders = candidates.some((one) => one.border_above);
  const heading = `query-${query.number}`;
  return (
    <section class="query-table" aria-labelledby={heading} id={`table-${query.number}`}>
      <h2 id={heading}>
        <span class="ordinal">{t.query(query.number)}</span> {query.label || named(query)}
      </h2>
      <p class="facts">
        <span>{t.answered(query.votes)}</span>
        <span>{t.groups(groups)}</span>
        <span>{t.agreement(query.agreement.kendall_w, query.agreement.mean_tau)}</span>
        <span>{t.consistency(query.consistency.contradicting, query.consistency.pairs, query.consistency.share)}</span>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.columns.rank}</th>
            <th scope="col">{t.columns.incipit}</th>
            <th scope="col">{t.columns.plot}</th>
          </tr>
        </thead>
        <tbody>
          <tr class="query-row">
            <th scope="row">{t.queryRow}</th>
            <td colSpan={2}>
              <Incipit one={query} playKey={`q${query.number}`} compact={compact} />
            </td>
          </tr>
          {rows.map((one, i) => {
            const mark = i > 0 && one.group === rows[i - 1]?.group ? "" : one.group > 0 ? t.group(one.group) : t.unranked;
            return <Row key={one.id} one={one} scale={scale} playKey={`q${query.number}-${one.id}`} mark={mark} fresh={Boolean(before && one.border_above && !before.includes(one.id))} compact={compact} />;
          })}
        </tbody>
      </table>
      {candidates.length === 0 && <p class="note">{t.noCandidates}</p>}
      {candidates.length > 0 && !borders && <p class="note">{t.noGroups}</p>}
      {count < candidates.length && <p class="note">{t.cut(count, candidates.length)}</p>}
      {!complete && (all || count < candidates.length) && (
        <button type="button" class="text" onClick={() => setAll(!all)}>
          {all ? t.fewer : t.all(candidates.length)}
        </button>
      )}
    </section>
  );
}
