import type { JSX } from "preact";
import { fromMeasureOf } from "../../shared/engrave/cut";
import { Score } from "../../shared/engrave/score";
import { usePlayingKey } from "../../shared/hooks";
import { Copy } from "../../shared/parts/copy";
import { PlayButton } from "../../shared/parts/play-button";
import type { Hit } from "../api";
import type { Update } from "../hooks";
import { speech, t } from "../texts";
import { BasketButton } from "./saved";

/** An address in the data is only followed if it is one of the web. */
export const safeLink = (uri: string | undefined): string | null => (uri && /^https?:\/\//i.test(uri) ? uri : null);

/** Library and shelfmark, year, source: what there is, in this order. */
export const whereabouts = (hit: Pick<Hit, "library" | "shelfmark" | "year" | "source">): string[] =>
  [[hit.library, hit.shelfmark].filter(Boolean).join(" "), hit.year ? String(hit.year) : "", hit.source ?? ""].filter(Boolean);

export const scoreText = (score: number): string => speech.number(score, Math.abs(score) >= 100 ? 0 : Math.abs(score) >= 10 ? 1 : 3);

interface Props {
  hit: Hit;
  update: Update;
  playKey: string;
  compact?: boolean;
  matchedHere?: (matched: readonly number[]) => void;
  children?: JSX.Element | JSX.Element[] | undefined;
}

export function HitCard({ hit, update, playKey, compact = false, matchedHere, children }: Props): JSX.Element {
  const playing = usePlayingKey() === playKey;
  const title = hit.title || t.results.untitled;
  const matched = hit.matched?.document ?? [];
  const notes = hit.notes ?? [];
  // Side by side there is room for little: the place of the match comes first.
  const mei = hit.mei && compact && matched.length > 0 ? fromMeasureOf(hit.mei, Math.min(...matched)) : hit.mei;
  const said = t.results.matched(matched.length, notes.length);
  const link = safeLink(hit.uri);
  const heading = `hit-${playKey}`;
  return (
    <article class={`hit${compact ? " compact" : ""}`} tabIndex={-1} data-id={hit.id} aria-labelledby={heading} onFocusCapture={() => matchedHere?.(hit.matched?.query ?? [])} onPointerEnter={() => matchedHere?.(hit.matched?.query ?? [])}>
      <header>
        <span class="rank" title={t.results.rank(hit.rank)}>
          {hit.rank}
        </span>
        <h3 id={heading} dir="auto">
          <a
            href={`/?show=${encodeURIComponent(hit.id)}`}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              update({ show: hit.id });
            }}
          >
            {title}
          </a>
          {hit.composer && <span class="composer" dir="auto">{hit.composer}</span>}
        </h3>
        {hit.score !== null && (
          <p class="value" title={said}>
            <span class="hidden">{t.results.score} </span>
            {scoreText(hit.score)}
          </p>
        )}
      </header>
      <div class="music">
        <PlayButton id={playKey} notes={notes} what={title} />
        {mei && <Score mei={mei} notes={notes.length} matched={matched} scale={compact ? 34 : 42} label={t.results.scoreOf(title, said)} playing={playing ? playKey : ""} />}
      </div>
      <footer>
        {hit.likelihood && (
          <span class={`likely ${hit.likelihood}`} title={hit.probability === undefined || hit.probability === null ? undefined : t.results.probability(hit.probability)}>
            {t.results.likelihood[hit.likelihood]}
          </span>
        )}
        {whereabouts(hit).map((one) => (
          <span key={one}>{one}</span>
        ))}
        <span class="id">
          <code>{hit.id}</code>
          <Copy text={hit.id} what={t.details.id} />
        </span>
        {hit.duplicates && hit.duplicates.length > 0 && <span title={hit.duplicates.join(", ")}>{t.results.same(hit.duplicates.length)}</span>}
        {children}
        <span class="actions">
          {link && (
            <a href={link} rel="noreferrer" target="_blank">
              {t.results.link} <span aria-hidden="true">↗</span>
            </a>
          )}
          <BasketButton melody={hit} />
          <button type="button" class="text" onClick={() => update({ id: hit.id, q: "", offset: 0, show: "" })}>
            {t.results.similar}
            <span class="hidden">: {title}</span>
          </button>
          <button type="button" class="text" onClick={() => update({ show: hit.id })}>
            {t.results.details}
            <span class="hidden">: {title}</span>
          </button>
        </span>
      </footer>
    </article>
  );
}
