import type { JSX } from "preact";
import { useAsked } from "../shared/hooks";
import { api } from "./api";
import { Scroller, Trouble } from "./parts";
import { follow, pathOf } from "./route";
import { t } from "./texts";

export function List(): JSX.Element {
  const { data, problem, busy } = useAsked("studies", 0, api.studies);
  const columns = t.list.columns;
  return (
    <section class="sheet wide" aria-labelledby="list-title">
      <div class="heading-row">
        <h1 id="list-title">{t.title}</h1>
        <a class="button main-link" href={pathOf({ page: "new" })} onClick={follow}>
          {t.list.new}
        </a>
      </div>
      <Trouble problem={problem} />
      {busy && !data && <p>{t.loading}</p>}
      {data?.studies.length === 0 && (
        <div class="nothing-yet">
          <p>{t.list.none}</p>
          <p class="note">{t.list.noneHint}</p>
        </div>
      )}
      {data && data.studies.length > 0 && (
        <Scroller label={t.title}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">{columns.title}</th>
                <th scope="col">{columns.state}</th>
                <th scope="col">{columns.queries}</th>
                <th scope="col">{columns.participants}</th>
                <th scope="col">{columns.finished}</th>
                <th scope="col">{columns.votes}</th>
              </tr>
            </thead>
            <tbody>
              {data.studies.map((one) => (
                <tr key={one.name}>
                  <th scope="row">
                    <a href={pathOf({ page: "study", name: one.name })} onClick={follow}>
                      {one.title || one.name}
                    </a>
                    {one.simulated && <span class="mark odd-mark">{t.simulated}</span>}
                  </th>
                  <td>
                    <span class={`mark state-${one.state}`}>{t.states[one.state]}</span>
                  </td>
                  <td>{one.queries}</td>
                  <td>{one.participants}</td>
                  <td>{one.finished}</td>
                  <td>{one.votes}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
      {data && data.candidate_sets.length > 0 && (
        <section aria-labelledby="sets-title">
          <h2 id="sets-title">{t.candidates.sets}</h2>
          <ul class="set-list">
            {data.candidate_sets.map((set) => (
              <li key={set.name}>
                <a href={pathOf({ page: "candidates", set: set.name })} onClick={follow}>
                  {set.name}
                </a>{" "}
                <span class="note">{t.create.setOf(set.query, set.candidates, set.drop ?? 0, set.undecided ?? 0)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}
