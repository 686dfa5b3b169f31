// The step from what filters and systems propose to what participants compare: notation, sound, and why it was proposed;
// keep or drop. Every decision is saved as it is made.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Score } from "../shared/engrave/score";
import { useAsked, usePlayingKey } from "../shared/hooks";
import { problemOf, type Problem } from "../shared/http";
import { PlayButton } from "../shared/parts/play-button";
import { Tempo } from "../shared/parts/tempo";
import { stop, toggle } from "../shared/playback/player";
import { api, type CandidateSetView, type Pick, type ProposedCandidate, type ProposedMelody } from "./api";
import { Trouble } from "./parts";
import { countsOf, decided, inverse, type Decision, type Filter } from "./picking";
import { follow } from "./route";
import { t } from "./texts";

const kQueryKey = "query";
const kQueryScale = 34;
const kScale = 30;
const kFilters: Filter[] = ["all", "undecided", "keep", "drop"];

const named = ({ title, composer, id }: ProposedMelody): string => [composer, title].filter(Boolean).join(": ") || id;

function Notation({ one, playKey, scale }: { one: ProposedMelody; playKey: string; scale: number }): JSX.Element {
  const playing = usePlayingKey() === playKey;
  const notes = one.notes ?? [];
  if (one.missing) return <p class="note">{t.candidates.missing}</p>;
  return (
    <div class="notation">
      <PlayButton id={playKey} notes={notes} what={named(one)} />
      {one.mei ? <Score mei={one.mei} notes={notes.length} label={named(one)} playing={playing ? playKey : ""} scale={scale} /> : <code>{one.pae}</code>}
    </div>
  );
}

interface CardProps {
  one: ProposedCandidate;
  number: number;
  active: boolean;
  decide: (pick: Pick) => void;
  focused: () => void;
}

function Card({ one, number, active, decide, focused }: CardProps): JSX.Element {
  const button = (pick: "keep" | "drop") => (
    <button type="button" class={`pick-${pick}`} tabIndex={active ? 0 : -1} aria-pressed={one.pick === pick} onClick={() => decide(one.pick === pick ? "undecided" : pick)}>
      {t.candidates[pick]}
      <span class="hidden">: {t.candidates.number(number)}</span>
    </button>
  );
  return (
    <li class={`proposed is-${one.pick}`} data-id={one.id} tabIndex={active ? 0 : -1} aria-label={t.candidates.card(number, named(one), one.pick)} onFocusIn={focused}>
      <div class="proposed-head">
        <span class="proposed-number">{number}</span>
        <span class="proposed-name">
          <strong>{named(one)}</strong> <code>{one.id}</code>
        </span>
        <span class="picks">
          {button("keep")}
          {button("drop")}
        </span>
      </div>
      <Notation one={one} playKey={one.id} scale={kScale} />
      <p class="why">
        <span class="note">{t.candidates.why}</span>
        {one.found.map(({ by, rank }) => (
          <span class="mark" key={by}>
            {t.candidates.found(by, rank)}
          </span>
        ))}
      </p>
      {one.folded.length > 0 && <p class="note">{t.candidates.folded(one.folded)}</p>}
    </li>
  );
}

function Funnel({ set }: { set: CandidateSetView }): JSX.Element | null {
  if (set.funnel.steps.length === 0) return null;
  return (
    <details class="funnel">
      <summary>{t.candidates.funnel(set.funnel.total, set.funnel.steps.at(-1)?.left ?? 0)}</summary>
      <ol>
        {set.funnel.steps.map((step, i) => (
          <li key={i}>{t.candidates.step(step.step, step.excluded, step.percent, step.left)}</li>
        ))}
      </ol>
    </details>
  );
}

/** Sends one decision after the other, so that the last one made is the last one stored. */
function useSaving(name: string) {
  const [waiting, setWaiting] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const save = (decisions: readonly Decision[], failed: () => void) => {
    setWaiting((n) => n + 1);
    last.current = last.current.then(async () => {
      try {
        for (const { ids, pick } of decisions) await api.pick(name, ids, pick);
        setProblem(null);
      } catch (error) {
        setProblem(problemOf(error));
        failed();
      }
      setWaiting((n) => n - 1);
    });
  };
  return { save, waiting: waiting > 0, problem };
}

function Picking({ set }: { set: CandidateSetView }): JSX.Element {
  const [candidates, setCandidates] = useState(set.candidates);
  const [filter, setFilter] = useState<Filter>("all");
  const [active, setActive] = useState(set.candidates.find(({ pick }) => pick === "undecided")?.id ?? set.candidates[0]?.id ?? "");
  const [history, setHistory] = useState<Decision[][]>([]);
  const [said, setSaid] = useState("");
  const { save, waiting, problem } = useSaving(set.name);
  const list = useRef<HTMLOListElement>(null);
  const latest = useRef(candidates);
  latest.current = candidates;
  const counts = countsOf(candidates);
  const shown = candidates.filter((one) => filter === "all" || one.pick === filter || one.id === active);
  useEffect(() => stop, []);

  const apply = (decisions: readonly Decision[]) => {
    const before = latest.current;
    const now = decisions.reduce<ProposedCandidate[]>((some, one) => decided(some, one), [...before]);
    latest.current = now;
    setCandidates(now);
    // What was not saved is shown as it was.
    save(decisions, () => setCandidates((some) => decisions.flatMap(({ ids }) => inverse(before, ids)).reduce<ProposedCandidate[]>((all, one) => decided(all, one), some)));
  };
  const decide = (ids: string[], pick: Pick) => {
    if (ids.length === 0) return;
    setHistory([...history, inverse(latest.current, ids)]);
    apply([{ pick, ids }]);
    setSaid(t.candidates.said(ids.length, pick));
  };
  const undo = () => {
    const back = history.at(-1);
    if (!back) return;
    setHistory(history.slice(0, -1));
    apply(back);
    const id = back[0]?.ids[0];
    if (id) focus(id);
    setSaid(t.candidates.undone);
  };
  const focus = (id: string) => {
    setActive(id);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus());
  };
  const step = (by: number) => {
    const at = shown.findIndex(({ id }) => id === active);
    const to = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
    if (to) focus(to.id);
  };
  const keys = (event: KeyboardEvent) => {
    const one = candidates.find(({ id }) => id === active);
    if (!one || event.altKey) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key !== "z") return;
      undo();
    } else if (key === "arrowdown" || key === "j") step(1);
    else if (key === "arrowup") step(-1);
    else if (key === "k" || key === "d" || key === "u") {
      decide([one.id], key === "k" ? "keep" : key === "d" ? "drop" : "undecided");
      if (key !== "u") step(1);
    } else if (key === "p") toggle(one.id, one.notes ?? []);
    else if (key === "q") toggle(kQueryKey, set.query?.notes ?? []);
    else return;
    event.preventDefault();
  };
  const rest = candidates.filter(({ pick }) => pick === "undecided").map(({ id }) => id);
  return (
    <>
      <div class="pick-bar">
        {set.query && <Notation one={set.query} playKey={kQueryKey} scale={kQueryScale} />}
        <div class="row">
          <label class="choice">
            <span>{t.candidates.show}</span>
            <select value={filter} onChange={(event) => setFilter(event.currentTarget.value as Filter)}>
              {kFilters.map((one) => (
                <option key={one} value={one}>
                  {t.candidates.filters[one]} ({one === "all" ? candidates.length : counts[one]})
                </option>
              ))}
            </select>
          </label>
          <button type="button" disabled={history.length === 0} onClick={undo}>
            {t.candidates.undo}
          </button>
          <button type="button" disabled={rest.length === 0} onClick={() => decide(rest, "drop")}>
            {t.candidates.dropRest(rest.length)}
          </button>
          <Tempo />
          <p class="counts" data-counts>
            {t.candidates.counts(counts.keep, counts.drop, counts.undecided)}
          </p>
          <p class="note" role="status">
            {waiting ? t.candidates.saving : said && !problem ? `${said} ${t.candidates.saved}` : ""}
          </p>
        </div>
        <Trouble problem={problem} />
      </div>
      <Funnel set={set} />
      <p class="note">{t.candidates.shownHint(counts.keep + counts.undecided)}</p>
      <details class="keys-help">
        <summary>{t.candidates.keys}</summary>
        <dl>
          {t.candidates.keysList.map(([key, what]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
      {shown.length === 0 && <p class="nothing-yet">{t.candidates.none}</p>}
      <ol class="proposals" ref={list} onKeyDown={keys}>
        {shown.map((one) => (
          <Card key={one.id} one={one} number={candidates.indexOf(one) + 1} active={one.id === active} decide={(pick) => decide([one.id], pick)} focused={() => setActive(one.id)} />
        ))}
      </ol>
    </>
  );
}

export function CandidatesPage({ name }: { name: string }): JSX.Element {
  const { data, problem } = useAsked(name, 0, (signal) => api.candidates(name, signal));
  useEffect(() => {
    document.title = `${t.candidates.title} · ${name}`;
  }, [name]);
  return (
    <div class="one-study">
      <div class="study-head">
        <h1>
          {t.candidates.title}: {name}
        </h1>
        <a href="/studies/+new" onClick={follow}>
          {t.list.new}
        </a>
      </div>
      {data?.query && (
        <p>
          {t.candidates.query} <strong>{named(data.query)}</strong> <code>{data.query.id}</code>
        </p>
      )}
      <Trouble problem={problem} />
      {!data && !problem && <p>{t.loading}</p>}
      {data && <Picking key={data.name} set={data} />}
    </div>
  );
}
