import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked } from "../../shared/hooks";
import { api, type Note } from "../api";
import type { State } from "../state";
import { t } from "../texts";
import { scoreText } from "./hit";

const kNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"];
const nameOf = ({ name, midi }: Note): string => name ?? `${kNames[midi % 12]}${Math.floor(midi / 12) - 1}`;

/** Names of the notes from `begin` up to, not with, `end`. */
const stretch = (notes: readonly Note[], range: [number, number] | null): string =>
  range ? notes.slice(range[0], range[1]).map(nameOf).join(" ") : "–";

interface Props {
  state: State;
  id: string;
  query: readonly Note[];
  document: readonly Note[];
}

/** Asked only when it is opened. */
export function AlignmentOf({ state, id, query, document }: Props): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const by: { q?: string; id?: string } = state.id ? { id: state.id } : { q: state.q };
  const key = open ? JSON.stringify([by, id, state.system]) : "";
  const { data, problem } = useAsked(key, 0, () => api.align(by, id, state.system));
  if (problem?.status === 404) return null;
  return (
    <details class="alignment" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.alignment.title}</summary>
      {problem && <p class="problem">{problem.detail || problem.title}</p>}
      {data && (
        <>
          <p class="note">{data.summary}</p>
          <div class="scroll" role="region" aria-label={t.alignment.title} tabIndex={0}>
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
                    <td>{step.kind}</td>
                    <td>{stretch(query, step.query)}</td>
                    <td>{stretch(document, step.document)}</td>
                    <td>{scoreText(step.score)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </details>
  );
}
