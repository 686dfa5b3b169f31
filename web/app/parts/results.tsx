import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { engraveAll, Score } from "../../shared/engrave/score";
import { passes, usePlayingKey, type Asked } from "../../shared/hooks";
import { told, type Problem } from "../../shared/http";
import { Copy } from "../../shared/parts/copy";
import { Icon } from "../../shared/parts/icon";
import { PlayButton } from "../../shared/parts/play-button";
import { Tempo } from "../../shared/parts/tempo";
import { exportUrl, listUrl, type Found, type Query } from "../api";
import type { Update } from "../hooks";
import { kSorts, type Sort, type State } from "../state";
import { t } from "../texts";
import { HitCard } from "./hit";
import { kQueryKey } from "./query";

interface Props {
  state: State;
  update: Update;
  found: Asked<Found>;
  query: Query | null;
  matched: readonly number[];
  setMatched: (matched: readonly number[]) => void;
  /** Whether the server can sort. */
  sortable: boolean;
}

/**
 * Steps the focus through the matches; the page scrolls along. The list remembers where it was: the button that steps has
 * the focus itself when it is pressed.
 */
export function stepHit(list: HTMLElement | null, by: 1 | -1): void {
  const hits = [...(list?.querySelectorAll<HTMLElement>(".hit") ?? [])];
  const at = hits.findIndex(({ dataset }) => dataset.id === list?.dataset.at);
  const next = hits[Math.max(0, Math.min(hits.length - 1, at + by))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center" });
}

const remember = (list: HTMLElement | null, target: EventTarget | null): void => {
  const hit = target instanceof Element ? target.closest<HTMLElement>(".hit") : null;
  if (list && hit) list.dataset.at = hit.dataset.id;
};

/** What went wrong; an outage is asked again by itself, or at once by the button. */
export function Trouble({ problem, again, busy }: { problem: Problem; again: () => void; busy: boolean }): JSX.Element {
  const words = problem.code === "offline" ? t.offline : told(problem);
  return (
    <div class="trouble" role="alert">
      <h3>{t.results.failed}</h3>
      <p>{words}</p>
      {passes(problem) && (
        <button type="button" disabled={busy} onClick={again}>
          {t.retry}
        </button>
      )}
    </div>
  );
}

/** The query stays in sight when its own place has left the screen. */
function Pinned({ query, matched }: { query: Query; matched: readonly number[] }): JSX.Element | null {
  const [away, setAway] = useState(false);
  const playing = usePlayingKey();
  useEffect(() => {
    const stand = document.querySelector(".stand");
    if (!stand) return undefined;
    const sight = new IntersectionObserver(([entry]) => setAway(!entry?.isIntersecting));
    sight.observe(stand);
    return () => sight.disconnect();
  }, []);
  if (!away || !query.mei) return null;
  return (
    <div class="pinned">
      <PlayButton id={kQueryKey} notes={query.notes} what={t.results.yours} />
      <Score mei={query.mei} notes={query.notes.length} matched={matched} scale={32} label={t.results.yours} playing={playing === kQueryKey ? kQueryKey : ""} />
    </div>
  );
}

export function Facts({ data }: { data: Found }): JSX.Element {
  return (
    <p class="facts" role="status">
      <strong>{data.relevant ? t.results.resemble(data.relevant.count, data.relevant.more) : t.results.found(data.total)}</strong>
      {data.relevant && data.total > data.relevant.count && <span>{t.results.distant(data.total - data.relevant.count)}</span>}
      {data.system && <span>{t.results.facts(data.compared, data.milliseconds)}</span>}
      {data.not_reached > 0 && <span>{t.results.notReached(data.not_reached)}</span>}
      {data.too_short > 0 && <span>{t.results.tooShort(data.too_short)}</span>}
      {data.filtered_out > 0 && <span>{t.results.filteredOut(data.filtered_out)}</span>}
      {data.complete === false && <span>{t.results.incomplete}</span>}
      {(data.query?.read?.unknown?.length ?? 0) > 0 && <span>{t.results.unknown}</span>}
    </p>
  );
}

/** Every staff is engraved first; a page only engraves what is near the screen. */
async function printAll(): Promise<void> {
  await engraveAll();
  window.print();
}

function Exports({ state }: { state: State }): JSX.Element {
  return (
    <details class="exports">
      <summary>{t.export.title}</summary>
      <p>
        {t.export.page}:
        {(["csv", "json", "trec"] as const).map((format) => (
          <a key={format} href={listUrl(state, format)} download={`rondo.${format === "trec" ? "run" : format}`}>
            {t.export[format]}
          </a>
        ))}
      </p>
      <p>
        {t.export.all}:
        {(["csv", "jsonl", "trec"] as const).map((format) => (
          <a key={format} href={exportUrl(state, format)} download={`rondo-all.${format === "trec" ? "run" : format}`}>
            {t.export[format]}
          </a>
        ))}
      </p>
      <p>
        <Copy text={location.href} what={t.details.link} label={t.export.link} />{" "}
        <button type="button" onClick={() => void printAll()}>
          {t.export.print}
        </button>
      </p>
    </details>
  );
}

export function Results({ state, update, found, query, matched, setMatched, sortable }: Props): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const { data, problem, busy } = found;
  const keyDown = (event: KeyboardEvent) => {
    if (!(event.target as Element).classList.contains("hit")) return;
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    stepHit(list.current, event.key === "ArrowDown" ? 1 : -1);
  };
  const page = (offset: number) => {
    update({ offset });
    document.getElementById("results")?.scrollIntoView();
  };
  // A mistake in the melody, or one that has only begun, is told where the melody stands.
  if (problem && (problem.column !== undefined || ["query-short", "pae-no-notation"].includes(problem.code))) return <section class="results" id="results" tabIndex={-1} aria-label={t.results.title} />;
  return (
    <section class="results" id="results" tabIndex={-1} aria-labelledby="results-title" aria-busy={busy}>
      <div class="bar">
        {query && <Pinned query={query} matched={matched} />}
        <h2 id="results-title" class="hidden">
          {t.results.title}
        </h2>
        {data && <Facts data={data} />}
        {!data && !problem && <p class="facts">{busy ? `${t.results.searching} …` : ""}</p>}
        {data && data.hits.length > 0 && (
          <span class="steps">
            {sortable && (
              <label class="sort">
                <span class="hidden">{t.results.sort.label}</span>
                <select id="sort" title={t.results.sort.label} value={state.sort} onChange={(event) => update({ sort: event.currentTarget.value as Sort, offset: 0 })}>
                  {kSorts.map((one) => (
                    <option key={one} value={one}>
                      {t.results.sort[one === "score" && !data.system ? "words" : one]}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <Tempo />
            <button type="button" class="tool" title={t.results.previous} onClick={() => stepHit(list.current, -1)}>
              <Icon name="previous" />
              <span class="hidden">{t.results.previous}</span>
            </button>
            <button type="button" class="tool" title={t.results.next} onClick={() => stepHit(list.current, 1)}>
              <Icon name="next" />
              <span class="hidden">{t.results.next}</span>
            </button>
          </span>
        )}
      </div>
      {problem && <Trouble problem={problem} again={found.again} busy={busy} />}
      {data && data.hits.length === 0 && (
        <div class="nothing">
          <h3>{t.results.none}</h3>
          <p>{t.results.noneHint}</p>
        </div>
      )}
      <div class="hits" ref={list} onKeyDown={keyDown} onFocusIn={(event) => remember(list.current, event.target)}>
        {data?.hits.map((hit) => (
          <HitCard key={`${hit.id}-${hit.voice ?? 0}`} hit={hit} update={update} playKey={`hit-${hit.id}-${hit.voice ?? 0}`} matchedHere={setMatched} />
        ))}
      </div>
      {data && data.hits.length > 0 && (
        <nav class="pages" aria-label={t.results.pages}>
          <button type="button" disabled={state.offset === 0} onClick={() => page(Math.max(0, state.offset - state.k))}>
            {t.results.earlier}
          </button>
          <span>{t.results.range(state.offset + 1, state.offset + data.hits.length, data.total)}</span>
          <button type="button" disabled={state.offset + data.hits.length >= data.total} onClick={() => page(state.offset + state.k)}>
            {t.results.later}
          </button>
        </nav>
      )}
      {data && data.hits.length > 0 && <Exports state={state} />}
    </section>
  );
}
