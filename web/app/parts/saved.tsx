import type { JSX } from "preact";
import { useDoing } from "../../shared/doing";
import { told } from "../../shared/http";
import { Icon } from "../../shared/parts/icon";
import { downloadUrl } from "../api";
import { asBibtex, asCorpus, asCsv, asJson } from "../export";
import type { Update } from "../hooks";
import { basket, useStored, visited, withKept, withoutKept, type Kept } from "../saved";
import { readState } from "../state";
import { t } from "../texts";
import { whereabouts } from "./hit";
import { save } from "./picture";

export const stableLink = (id: string): string => `${location.origin}/?show=${encodeURIComponent(id)}`;

/** Puts a melody into the basket or takes it out. */
export function BasketButton({ melody }: { melody: Kept }): JSX.Element {
  const kept = useStored(basket).some(({ id }) => id === melody.id);
  const label = kept ? t.saved.remove : t.saved.add;
  return (
    <button type="button" class={`keep${kept ? " kept" : ""}`} aria-pressed={kept} title={label} onClick={() => basket.write(kept ? withoutKept(basket.read(), melody.id) : withKept(basket.read(), melody))}>
      <Icon name="basket" />
      <span class="hidden">
        {label}: {melody.title || melody.id}
      </span>
    </button>
  );
}

const kTypes: Record<string, string> = { csv: "text/csv", json: "application/json", bib: "application/x-bibtex", mei: "application/mei+xml" };

async function fileOf(kind: string, all: readonly Kept[]): Promise<string> {
  if (kind === "csv") return asCsv(all);
  if (kind === "json") return asJson(all);
  if (kind === "bib") return asBibtex(all, stableLink);
  const files: string[] = [];
  // One after the other: a basket is no reason to overload a server.
  for (const { id } of all) {
    const answer = await fetch(downloadUrl(id, "mei"));
    if (answer.ok) files.push(await answer.text());
  }
  return asCorpus(files);
}

export function SavedPage({ update }: { update: Update }): JSX.Element {
  const kept = useStored(basket);
  const searches = useStored(visited);
  const { busy, problem, run } = useDoing();
  return (
    <section class="saved" aria-labelledby="saved-title">
      <h1 id="saved-title">{t.saved.title}</h1>
      <p class="lead">{t.saved.lead}</p>
      <h2>{t.saved.basket}</h2>
      {kept.length === 0 && <p class="note">{t.saved.noBasket}</p>}
      {kept.length > 0 && (
        <>
          <p class="row exports-row">
            <span>{t.saved.count(kept.length)}</span>
            {Object.entries(t.saved.kinds).map(([kind, name]) => (
              <button type="button" key={kind} disabled={busy} onClick={() => void run(async () => save(new Blob([await fileOf(kind, kept)], { type: kTypes[kind] ?? "" }), `rondo.${kind}`))}>
                {name}
              </button>
            ))}
            <button type="button" class="text" onClick={() => basket.write([])}>
              {t.saved.clearBasket}
            </button>
          </p>
          {problem && <p class="problem">{told(problem)}</p>}
          <ul class="kept-list">
            {kept.map((one) => (
              <li key={one.id}>
                <a
                  href={`/?show=${encodeURIComponent(one.id)}`}
                  dir="auto"
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    update({ show: one.id });
                  }}
                >
                  {one.title || t.results.untitled}
                </a>
                <span class="note" dir="auto">
                  {[one.composer, ...whereabouts(one)].filter(Boolean).join(" · ")}
                </span>
                <BasketButton melody={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{t.saved.history}</h2>
      {searches.length === 0 && <p class="note">{t.saved.noHistory}</p>}
      {searches.length > 0 && (
        <>
          <ul class="kept-list">
            {searches.map(({ address, what, time }) => (
              <li key={address}>
                <a
                  href={address}
                  dir="auto"
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    update(readState(address.slice(1)));
                  }}
                >
                  {what}
                </a>
                <span class="note">{t.saved.when(new Date(time))}</span>
              </li>
            ))}
          </ul>
          <p>
            <button type="button" class="text" onClick={() => visited.write([])}>
              {t.saved.clearHistory}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
