import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked, type Asked } from "../../shared/hooks";
import { api, defaultSystem, type Found, type System } from "../api";
import type { Update } from "../hooks";
import { searchParameters, type State } from "../state";
import { t } from "../texts";
import { HitCard } from "./hit";
import { Facts, Trouble } from "./results";

interface Props {
  state: State;
  update: Update;
  systems: System[];
  first: Asked<Found>;
  setMatched: (matched: readonly number[]) => void;
}

const withSystem = (state: State, system: string): State => ({ ...state, system, set: {} });

/** Asks for one more system; an empty name asks nothing. Hooks cannot be counted, so there is always the same number. */
const useSystem = (state: State, system: string): Asked<Found> =>
  useAsked(system && searchParameters(withSystem(state, system)).toString(), 130, (signal) =>
    api.search(withSystem(state, system), signal),
  );

export function Comparison({ state, update, systems, first, setMatched }: Props): JSX.Element {
  const [marked, setMarked] = useState("");
  const second = useSystem(state, state.beside[0] ?? "");
  const third = useSystem(state, state.beside[1] ?? "");
  const names = [state.system || (defaultSystem(systems)?.name ?? ""), ...state.beside];
  const lists = [first, second, third].slice(0, names.length);
  const ranks = lists.map(({ data }) => new Map(data?.hits.map(({ id, rank }) => [id, rank])));
  const [head = new Map<string, number>()] = ranks;
  const common = [...head.keys()].filter((id) => ranks.every((one) => one.has(id))).length;
  const titleOf = (name: string) => systems.find((one) => one.name === name)?.title || name;
  return (
    <section class="comparison" id="results" tabIndex={-1} aria-labelledby="comparison-title">
      <div class="bar">
        <h2 id="comparison-title">{t.comparison.title}</h2>
        <p class="facts">
          <span>{t.comparison.common(common, Math.max(0, ...ranks.map((one) => one.size)))}</span>
        </p>
        <button type="button" onClick={() => update({ beside: [] })}>
          {t.comparison.close}
        </button>
      </div>
      <div class={`columns of-${names.length}`}>
        {names.map((name, i) => (
          <section key={name} aria-labelledby={`column-${i}`}>
            <h3 id={`column-${i}`}>
              {titleOf(name)} <code>{name}</code>
            </h3>
            {lists[i]?.data && <Facts data={lists[i].data} />}
            {lists[i]?.problem && <Trouble problem={lists[i].problem} again={lists[i].again} busy={lists[i].busy} />}
            <div class="hits">
              {lists[i]?.data?.hits.map((hit) => (
                <div key={`${hit.id}-${hit.voice ?? 0}`} class={marked === hit.id ? "same" : ""} onPointerEnter={() => setMarked(hit.id)} onFocusCapture={() => setMarked(hit.id)}>
                  <HitCard hit={hit} update={update} playKey={`${name}-${hit.id}-${hit.voice ?? 0}`} compact matchedHere={setMatched}>
                    <span class="elsewhere">
                      {names.map((other, j) =>
                        j === i ? null : (
                          <span key={other} class={ranks[j]?.has(hit.id) ? "" : "absent"}>
                            {ranks[j]?.has(hit.id) ? t.comparison.elsewhere(other, ranks[j]?.get(hit.id) ?? 0) : t.comparison.absent(other)}
                          </span>
                        ),
                      )}
                    </span>
                  </HitCard>
                </div>
              ))}
            </div>
          </section>
        ))}
      </div>
    </section>
  );
}
