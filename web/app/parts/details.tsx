import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Score } from "../../shared/engrave/score";
import { useAsked, usePlayingKey } from "../../shared/hooks";
import { Copy } from "../../shared/parts/copy";
import { Icon } from "../../shared/parts/icon";
import { PlayButton } from "../../shared/parts/play-button";
import { api, downloadUrl, type Hit, type Melody, type Query } from "../api";
import type { Update } from "../hooks";
import type { State } from "../state";
import { t } from "../texts";
import { AlignmentOf } from "./alignment";
import { FeaturesOf } from "./features";
import { safeLink } from "./hit";
import { savePng, saveSvg } from "./picture";
import { BasketButton, stableLink } from "./saved";

interface Props {
  state: State;
  update: Update;
  hits: readonly Hit[];
  query: Query | null;
  features: boolean;
}

function citation(melody: Melody): string {
  const place = [melody.library, melody.shelfmark].filter(Boolean).join(" ");
  const said = [melody.composer, melody.title, melody.year, place, melody.source].filter(Boolean).join(", ");
  return `${said || melody.id} [${melody.id}]. ${stableLink(melody.id)}`;
}

function Facts({ melody }: { melody: Melody }): JSX.Element {
  const known = Object.entries(t.details.fields).flatMap(([name, label]) => {
    const value = melody[name];
    return value && (typeof value === "string" || typeof value === "number") ? [[label, String(value)] as const] : [];
  });
  const others = (melody.fields ?? []).map(({ name, value }) => [name, value] as const);
  return (
    <dl class="facts-list">
      <div>
        <dt>{t.details.id}</dt>
        <dd>
          <code>{melody.id}</code>
          <Copy text={melody.id} what={t.details.id} />
        </dd>
      </div>
      {[...known, ...others].map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ melody, hit, state, query, features }: { melody: Melody; hit: Hit | undefined } & Omit<Props, "update" | "hits">): JSX.Element {
  const [voice, setVoice] = useState(hit?.voice ?? 0);
  const [svg, setSvg] = useState<SVGSVGElement | null>(null);
  const playing = usePlayingKey();
  const voices = melody.voices ?? [];
  const shown = voices[voice] ?? { mei: melody.mei, notes: melody.notes, pae: melody.pae };
  const notes = shown.notes ?? [];
  const key = `details-${melody.id}-${voice}`;
  const matched = voice === (hit?.voice ?? 0) ? (hit?.matched?.document ?? []) : [];
  const title = melody.title || t.results.untitled;
  const link = safeLink(melody.uri);
  return (
    <>
      <div class="music">
        <PlayButton id={key} notes={notes} what={title} />
        {shown.mei && <Score mei={shown.mei} notes={notes.length} matched={matched} scale={50} urgent label={t.results.scoreOf(title, t.results.matched(matched.length, notes.length))} playing={playing === key ? key : ""} ready={setSvg} />}
      </div>
      {(state.q || state.id) && state.id !== melody.id && voice === (hit?.voice ?? 0) && (
        <AlignmentOf state={state} id={melody.id} query={{ mei: query?.mei ?? "", notes: query?.notes ?? [] }} document={{ mei: shown.mei ?? "", notes }} />
      )}
      {voices.length > 1 && (
        <label class="choice">
          <span>{t.details.voices}</span>
          <select value={voice} onChange={(event) => setVoice(Number(event.currentTarget.value))}>
            {voices.map((one, i) => (
              <option key={i} value={i}>
                {one.name || t.details.voice(i + 1)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Facts melody={melody} />
      {shown.pae && (
        <div class="pae">
          <pre role="region" tabIndex={0} aria-label={t.details.pae}>
            {shown.pae.trim()}
          </pre>
          <Copy text={shown.pae} what={t.details.pae} />
        </div>
      )}
      <p class="links">
        <Copy text={stableLink(melody.id)} what={t.details.link} label={t.details.link} />
        <Copy text={citation(melody)} what={t.details.citation} label={t.details.citation} />
        {link && (
          <a href={link} rel="noreferrer" target="_blank">
            {t.results.link} <span aria-hidden="true">↗</span>
          </a>
        )}
      </p>
      <h3>{t.details.downloads}</h3>
      <p class="downloads">
        {Object.entries(t.details.kinds).map(([kind, name]) => (
          <a class="button" key={kind} href={downloadUrl(melody.id, kind)} download={`${melody.id}.${kind}`}>
            {name}
          </a>
        ))}
        <button type="button" disabled={!svg} onClick={() => svg && saveSvg(svg, melody.id)}>
          {t.details.svg}
        </button>
        <button type="button" disabled={!svg} onClick={() => svg && void savePng(svg, melody.id)}>
          {t.details.png}
        </button>
      </p>
      <FeaturesOf id={melody.id} notes={notes} offered={features} />
    </>
  );
}

export function Details({ state, update, hits, query, features }: Props): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data, problem, busy } = useAsked(state.show, 0, (signal) => api.melody(state.show, signal));
  useEffect(() => {
    if (state.show && !dialog.current?.open) dialog.current?.showModal();
  }, [state.show]);
  if (!state.show) return null;
  const melody = data?.id === state.show ? data : null;
  const at = hits.findIndex(({ id }) => id === state.show);
  const go = (by: number) => update({ show: hits[at + by]?.id ?? state.show }, "typing");
  return (
    <dialog class="details" ref={dialog} aria-labelledby="details-title" onClose={() => update({ show: "" })} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <header>
        <div>
          <h2 id="details-title" tabIndex={-1} autofocus dir="auto">{melody?.title || (problem ? state.show : melody ? t.results.untitled : "…")}</h2>
          {melody?.composer && <p class="composer" dir="auto">{melody.composer}</p>}
        </div>
        <span class="steps">
          {at >= 0 && (
            <>
              <button type="button" class="tool" disabled={at <= 0} title={t.results.previous} onClick={() => go(-1)}>
                <Icon name="previous" />
                <span class="hidden">{t.results.previous}</span>
              </button>
              <button type="button" class="tool" disabled={at >= hits.length - 1} title={t.results.next} onClick={() => go(1)}>
                <Icon name="next" />
                <span class="hidden">{t.results.next}</span>
              </button>
            </>
          )}
          {melody && <BasketButton melody={melody} />}
          <button type="button" class="text" onClick={() => update({ view: "search", id: state.show, q: "", show: "", offset: 0 })}>
            {t.results.similar}
          </button>
          <button type="button" class="tool" title={t.details.close} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
            <span class="hidden">{t.details.close}</span>
          </button>
        </span>
      </header>
      {problem && !busy && <p class="problem">{problem.status === 404 ? t.details.missing : problem.detail || problem.title}</p>}
      {melody && <Body key={melody.id} melody={melody} hit={hits[at]} state={state} query={query} features={features} />}
    </dialog>
  );
}
