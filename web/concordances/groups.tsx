import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAsked } from "../shared/hooks";
import { told } from "../shared/http";
import { api, chosenIn, kFilters, kPage, parametersOf, type Chosen, type Filter, type Run } from "./api";
import { GroupView } from "./group";
import { t } from "./texts";

const kTypingPause = 250;

/** What is chosen lies in the address, so that back, forward and links work. */
function useChosen(): [Chosen, (change: Partial<Chosen>) => void] {
  const [chosen, setChosen] = useState(() => chosenIn(location.search));
  useEffect(() => {
    const back = () => setChosen(chosenIn(location.search));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const change = (part: Partial<Chosen>) => {
    const next = { ...chosen, offset: 0, ...part };
    const text = parametersOf(next).toString();
    const address = text ? `/concordances?${text}` : "/concordances";
    if ("offset" in part) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    setChosen(next);
  };
  return [chosen, change];
}

export function Groups({ run, total, editor }: { run: Run; total: number; editor: boolean }): JSX.Element {
  const [chosen, change] = useChosen();
  const { data, problem, busy } = useAsked(`${run.ended} ${parametersOf(chosen)}`, kTypingPause, (signal) => api.groups(chosen, signal));
  const toggle = (name: Filter) => {
    const filters = new Set(chosen.filters);
    if (!filters.delete(name)) filters.add(name);
    change({ filters });
  };
  const page = (offset: number) => {
    change({ offset });
    document.getElementById("groups")?.focus();
  };
  return (
    <section id="groups" tabIndex={-1} aria-label={t.groups.title} aria-busy={busy}>
      <form class="filters" role="search" aria-label={t.filters.title} onSubmit={(event) => event.preventDefault()}>
        {kFilters.map((name) => (
          <label class="check" key={name}>
            <input type="checkbox" checked={chosen.filters.has(name)} onChange={() => toggle(name)} /> {t.filters[name]}
          </label>
        ))}
        <label class="field words">
          <span>{t.filters.words}</span>
          <input type="search" value={chosen.text} onInput={(event) => change({ text: event.currentTarget.value })} />
        </label>
      </form>
      <p class="note" role="status">
        {data && t.groups.count(data.total, total)}
      </p>
      <p class="note legend">{t.groups.legend}</p>
      {problem && (
        <p class="problem" role="alert">
          {told(problem) || t.offline}
        </p>
      )}
      {data?.groups.map((group) => <GroupView key={`${run.ended} ${group.number}`} group={group} editor={editor} />)}
      {data && data.total > kPage && (
        <nav class="pages" aria-label={t.groups.pages}>
          <button type="button" disabled={chosen.offset === 0} onClick={() => page(Math.max(0, chosen.offset - kPage))}>
            {t.groups.previous}
          </button>
          <span>{t.groups.range(chosen.offset + 1, Math.min(data.total, chosen.offset + kPage), data.total)}</span>
          <button type="button" disabled={chosen.offset + kPage >= data.total} onClick={() => page(chosen.offset + kPage)}>
            {t.groups.next}
          </button>
        </nav>
      )}
    </section>
  );
}
