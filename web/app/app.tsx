import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startEngraver } from "../shared/engrave/thread";
import { useAsked, useMedia } from "../shared/hooks";
import { api, defaultSystem, type Found, type Melody, type Query } from "./api";
import { useAddress, type Update } from "./hooks";
import { ApiPage } from "./parts/api-page";
import { Comparison } from "./parts/comparison";
import { Details } from "./parts/details";
import { FunnelPage } from "./parts/funnel";
import { Heading } from "./parts/heading";
import { QueryPanel } from "./parts/query";
import { Refine } from "./parts/refine";
import { Results } from "./parts/results";
import { SavedPage } from "./parts/saved";
import { visited, withVisit } from "./saved";
import { asks, isLong, searchParameters, writeState, type State } from "./state";
import { t } from "./texts";

// Long enough not to ask at every key, short enough that an answer is there before one looks up.
const kTypingPause = 110;
const kVisited = 2000; // milliseconds

/** A stored melody in the place of what was typed. */
function asQuery(melody: Melody): Query & { title?: string } {
  const voice = melody.voices?.[melody.voice ?? 0] ?? melody.voices?.[0] ?? {};
  const pick = (name: string) => (typeof melody[name] === "string" ? (melody[name] as string) : "");
  return {
    pae: voice.pae ?? melody.pae ?? "",
    mei: voice.mei ?? melody.mei ?? "",
    notes: voice.notes ?? melody.notes ?? [],
    clef: pick("clef"),
    key: pick("key_signature"),
    time: pick("time"),
    title: melody.title ?? melody.id,
  };
}

const questionOf = async (state: State, signal: AbortSignal): Promise<Query & { title?: string }> => {
  if (state.id) return asQuery(await api.melody(state.id, signal));
  return state.m && !state.q ? api.linked(state.m, signal) : api.query(state.q, signal);
};

const kExamples = [
  { name: "Ode to Joy", q: "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/" },
  { name: "Ah! vous dirai-je, maman", q: "%G-2@2/4 '4CC/GG/AA/2G/4FF/EE/DD/2C/" },
  { name: "La Folia", q: "%G-2$bB@3/4 '2D4D/2xC4C/2D4E/2E" },
  { name: "Greensleeves", q: "%G-2@6/8 '8A/''4C8D8.E6F8E/4D'8B8.G6A8B/''4C'8AA.6xG8A/4B8G4E" },
];

/** What else one may begin with. */
function Start({ update }: { update: Update }): JSX.Element {
  return (
    <div class="start">
      <section class="examples" aria-labelledby="examples-title">
        <h2 id="examples-title">{t.examples.title}</h2>
        <ul>
          {kExamples.map(({ name, q }) => (
            <li key={name}>
              <button type="button" onClick={() => update({ q, id: "" })}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <form
        class="start-words"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const text = new FormData(event.currentTarget).get("words");
          if (typeof text === "string" && text.trim()) update({ text: text.trim() });
        }}
      >
        <label for="start-words">{t.examples.words}</label>
        <span class="row">
          <input type="search" id="start-words" name="words" placeholder={t.refine.wordsHint} />
          <button type="submit">{t.pages.search}</button>
        </span>
      </form>
    </div>
  );
}

export function App(): JSX.Element {
  const [state, update] = useAddress();
  const [matched, setMatched] = useState<readonly number[]>([]);
  const roomy = useMedia("(min-width: 56rem)");
  const systems = useAsked("systems", 0, api.systems);
  const collection = useAsked("collection", 0, api.collection);
  const offered = useAsked("offers", 0, api.offers);
  const linked = state.m !== "" && state.q === "" && state.id === "";
  const query = useAsked(state.id ? `id ${state.id}` : linked ? `m ${state.m}` : state.q.trim() && `q ${state.q}`, state.id ? 0 : kTypingPause, (signal) =>
    questionOf(state, signal),
  );
  const asked = asks(state);
  // A long melody is not in the address until its key is known; it is the question all the same.
  const long = !state.id && !state.m && isLong(state.q) ? state.q : "";
  const found = useAsked<Found>(asked ? `${searchParameters(state)} ${long}` : "", kTypingPause, (signal) => api.search(state, signal));
  // The text of a link comes from the server, the link of a text too; neither is a step of its own.
  useEffect(() => {
    if (linked && query.data?.text) update({ q: query.data.text, m: state.m }, "same");
  }, [query.data]);
  useEffect(() => {
    const link = found.data?.query?.link;
    if (long && link && !found.busy) update({ m: link }, "same");
  }, [found.data, found.busy]);
  const current = systems.data?.find(({ name }) => name === state.system) ?? defaultSystem(systems.data ?? []);
  const listed = asked && state.view === "search";
  const offers = (part: string) => offered.data?.paths.some((path) => path.includes(part)) ?? false;

  const concordances = useAsked(offers("/concordances") ? "concordances" : "", 0, api.hasConcordances);

  // The engraver is large; it is fetched once everything else is there.
  useEffect(() => {
    const timer = setTimeout(startEngraver, 50);
    return () => clearTimeout(timer);
  }, []);
  // Until a hit is looked at, the query shows what the best one shares with it.
  useEffect(() => setMatched(found.data?.hits[0]?.matched?.query ?? []), [found.data]);
  const what = [state.id ? t.query.similarTo(query.data?.title ?? state.id) : state.q, state.text].filter(Boolean).join(" · ");
  useEffect(() => {
    const titles: Record<State["view"], string> = { search: what, funnel: t.funnel.title, saved: t.saved.title, api: t.api.title };
    const title = titles[state.view];
    document.title = title ? `${title.slice(0, 60)} · ${t.name}` : `${t.name}: ${t.lead}`;
  }, [state, what]);
  // A search whose results have been looked at for a moment goes into the history of this device.
  useEffect(() => {
    if (!asked || !found.data || state.show || state.view !== "search") return undefined;
    const address = writeState({ ...state, offset: 0 });
    const timer = setTimeout(() => visited.write(withVisit(visited.read(), { address, what, time: Date.now() })), kVisited);
    return () => clearTimeout(timer);
  }, [found.data, what, state.view, state.show]);

  const refine = <Refine state={state} update={update} systems={systems.data ?? []} found={found.data} />;
  return (
    <>
      <a class="skip" href={listed ? "#results" : "#main"}>
        {listed ? t.skip : t.skipToMain}
      </a>
      <Heading state={state} update={update} collection={collection.data} funnel={offers("/funnel")} concordances={concordances.data ?? false} />
      <main id="main" tabIndex={-1}>
        {location.pathname !== "/" && (
          <p class="lost" role="status">
            {t.lost(decodeURI(location.pathname).slice(0, 200))}
          </p>
        )}
        {state.view === "funnel" && <FunnelPage state={state} update={update} />}
        {state.view === "saved" && <SavedPage update={update} />}
        {state.view === "api" && <ApiPage />}
        {state.view === "search" && (
          <>
            <QueryPanel state={state} update={update} query={query} matched={asked ? matched : []} least={current?.shortest ?? 2} />
            {!asked && <Start update={update} />}
            <div class={`desk${asked ? "" : " resting"}`}>
              {roomy ? (
                refine
              ) : (
                <details class="refine-box">
                  <summary>{t.refine.title}</summary>
                  {refine}
                </details>
              )}
              {asked && state.beside.length > 0 && <Comparison state={state} update={update} systems={systems.data ?? []} first={found} setMatched={setMatched} />}
              {asked && state.beside.length === 0 && (
                <Results state={state} update={update} found={found} sortable={offered.data?.sort ?? false} query={query.data} matched={matched} setMatched={setMatched} />
              )}
            </div>
          </>
        )}
      </main>
      <Details state={state} update={update} hits={found.data?.hits ?? []} query={query.data} features={offers("/features")} />
    </>
  );
}
