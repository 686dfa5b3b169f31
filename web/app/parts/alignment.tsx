import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { NoteElements } from "../../shared/engrave/place";
import { Score } from "../../shared/engrave/score";
import { useAsked, usePlayingKey } from "../../shared/hooks";
import { told } from "../../shared/http";
import { PlayButton } from "../../shared/parts/play-button";
import { aroundMatch, columnsOf, transposition, type Kind } from "../align/columns";
import { twoStaves } from "../align/staves";
import { api, type Alignment, type Note } from "../api";
import type { State } from "../state";
import { t } from "../texts";
import { scoreText } from "./hit";
import { nameOfMidi } from "./names";

const kKey = "both";

const nameOf = ({ name, midi }: Note): string => name ?? nameOfMidi(midi);

/** Names of the notes from `begin` up to, not with, `end`. */
const stretch = (notes: readonly Note[], range: [number, number] | null): string =>
  range ? notes.slice(range[0], range[1]).map(nameOf).join(" ") : "–";

interface Sides {
  query: { mei: string; notes: readonly Note[] };
  document: { mei: string; notes: readonly Note[] };
}

/** Notes that the system compared, by the notes of the melody; the server says which. */
const lineOf = (line: readonly (readonly number[])[] | undefined, notes: readonly Note[]): number[] => line?.map((one, i) => one[0] ?? i) ?? notes.map((_, i) => i);

function Staves({ data, query, document }: { data: Alignment } & Sides): JSX.Element | null {
  const playing = usePlayingKey();
  const [elements, setElements] = useState<NoteElements>([]);
  const drawn = useMemo(() => {
    const columns = aroundMatch(columnsOf(data.steps, lineOf(data.query?.line, query.notes), lineOf(data.document?.line, document.notes)));
    const by = transposition(columns, query.notes, document.notes);
    return { columns, by, ...twoStaves(columns, query, document, by) };
  }, [data, query.mei, document.mei]);
  useEffect(() => {
    elements.forEach((parts, i) => {
      const kind = drawn.kinds[i];
      for (const part of parts) part.classList.add(`aligned-${kind === "query" || kind === "document" ? "only" : (kind ?? "same")}`);
    });
  }, [elements, drawn]);
  if (drawn.columns.length === 0) return null;
  const count = (kind: Kind) => drawn.columns.filter((one) => one.kind === kind).length;
  return (
    <div class="staves">
      <div class="music">
        <PlayButton id={kKey} notes={drawn.sounds} what={t.alignment.playBoth} />
        <Score mei={drawn.mei} notes={drawn.kinds.length} scale={42} urgent label={t.alignment.staves(count("same"), count("changed"))} playing={playing === kKey ? kKey : ""} ready={(_, all) => setElements(all)} />
      </div>
      <ul class="legend" aria-label={t.alignment.legend}>
        <li class="aligned-same">{t.alignment.same}</li>
        <li class="aligned-changed">≠ {t.alignment.changed}</li>
        <li class="aligned-only">
          + {t.alignment.onlyYours}, {t.alignment.onlyTheirs}
        </li>
      </ul>
      <p class="note">
        ↑ {t.alignment.yours} · ↓ {t.alignment.theirs}. {t.alignment.transposed(drawn.by)}
      </p>
    </div>
  );
}

interface Props extends Sides {
  state: State;
  id: string;
}

/** Query and melody, note against note: on two staves, and as a table. */
export function AlignmentOf({ state, id, query, document }: Props): JSX.Element | null {
  const by: { q?: string; m?: string; id?: string } = state.id ? { id: state.id } : state.m ? { m: state.m } : { q: state.q };
  const { data, problem } = useAsked(JSON.stringify([by, id, state.system]), 0, () => api.align(by, id, state.system));
  if (problem?.status === 404) return null;
  return (
    <section class="alignment" aria-labelledby="alignment-title">
      <h3 id="alignment-title">{t.alignment.title}</h3>
      {problem && <p class="problem">{told(problem)}</p>}
      {data && query.mei && document.mei && <Staves data={data} query={query} document={document} />}
      {data && (
        <details class="alignment-table">
          <summary>{t.alignment.table}</summary>
          <p class="note">{data.summary}</p>
          <div class="scroll" role="region" aria-label={t.alignment.table} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {Object.values(t.alignment.steps).map((name) => (
                    <th scope="col" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.steps.map((step, i) => (
                  <tr key={i} class={step.kind.replace(/\W+/g, "-")}>
                    <td>{step.kind.replaceAll("_", " ")}</td>
                    <td>{stretch(query.notes, step.query)}</td>
                    <td>{stretch(document.notes, step.document)}</td>
                    <td>{scoreText(step.score)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </section>
  );
}
