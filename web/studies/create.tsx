import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked } from "../shared/hooks";
import { api } from "./api";
import { useDoing } from "../shared/doing";
import { Trouble } from "./parts";
import { follow, go, pathOf } from "./route";
import { t } from "./texts";

/** A name for addresses made of a title. */
export const nameOf = (title: string): string =>
  title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);

export function Create(): JSX.Element {
  const { data, problem: listProblem } = useAsked("studies", 0, api.studies);
  const [title, setTitle] = useState("");
  const [ownName, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string[]>([]);
  const [instructions, setInstructions] = useState(t.standardInstructions);
  const [consent, setConsent] = useState(t.standardConsent);
  const [ties, setTies] = useState(true);
  const [plant, setPlant] = useState(false);
  const [asked, setAsked] = useState(false);
  const { busy, problem, run } = useDoing();
  const name = ownName ?? nameOf(title);
  const sets = data?.candidate_sets ?? [];
  const submit = (event: Event) => {
    event.preventDefault();
    setAsked(true);
    if (chosen.length === 0) return;
    void run(async () => {
      const study = await api.create({ name, title, instructions, consent, ties, plant_query: plant, candidate_sets: chosen });
      go(pathOf({ page: "study", name: study.name ?? name }));
    });
  };
  return (
    <form class="sheet" aria-labelledby="create-title" onSubmit={submit}>
      <h1 id="create-title">{t.create.title}</h1>
      <Trouble problem={listProblem} />
      <label class="field">
        <span>{t.create.heading}</span>
        <input type="text" required maxLength={200} value={title} aria-describedby="title-hint" onInput={(event) => setTitle(event.currentTarget.value)} />
        <small id="title-hint">{t.create.headingHint}</small>
      </label>
      <label class="field">
        <span>{t.create.name}</span>
        <input type="text" required pattern="[a-z0-9][a-z0-9\-]*" maxLength={60} value={name} aria-describedby="name-hint" onInput={(event) => setName(event.currentTarget.value)} />
        <small id="name-hint">{t.create.nameHint}</small>
      </label>
      <fieldset class="sets">
        <legend>{t.create.sets}</legend>
        <p class="note">{t.create.setsHint}</p>
        {data && sets.length === 0 && (
          <p>
            {t.create.noSets} <code>{t.create.noSetsCommand}</code>
          </p>
        )}
        {sets.map((set) => (
          <label class="tick" key={set.name}>
            <input type="checkbox" checked={chosen.includes(set.name)} onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, set.name] : chosen.filter((one) => one !== set.name))} />
            <span>
              <strong>{set.name}</strong> <span class="note">{t.create.setOf(set.query, set.candidates, set.drop ?? 0, set.undecided ?? 0)}</span>{" "}
              <a href={pathOf({ page: "candidates", set: set.name })} onClick={follow}>
                {t.candidates.pick}
                <span class="hidden">: {set.name}</span>
              </a>
            </span>
          </label>
        ))}
        <p class="problem" role="status">
          {asked && chosen.length === 0 ? t.create.chooseSets : ""}
        </p>
      </fieldset>
      <label class="field">
        <span>{t.create.instructions}</span>
        <textarea rows={12} value={instructions} aria-describedby="prose-hint" onInput={(event) => setInstructions(event.currentTarget.value)} />
        <small id="prose-hint">{t.create.prose}</small>
      </label>
      <label class="field">
        <span>{t.create.consent}</span>
        <textarea rows={5} value={consent} onInput={(event) => setConsent(event.currentTarget.value)} />
      </label>
      <label class="tick">
        <input type="checkbox" checked={ties} onChange={(event) => setTies(event.currentTarget.checked)} />
        <span>{t.create.ties}</span>
      </label>
      <label class="tick">
        <input type="checkbox" checked={plant} onChange={(event) => setPlant(event.currentTarget.checked)} />
        <span>{t.create.plant}</span>
      </label>
      <Trouble problem={problem} />
      <div class="row">
        <button type="submit" class="main" disabled={busy}>
          {t.create.go}
        </button>
        <a class="button" href="/studies" onClick={follow}>
          {t.create.cancel}
        </a>
      </div>
    </form>
  );
}
