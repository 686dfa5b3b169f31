import type { JSX } from "preact";
import { LanguageChoice } from "../../shared/parts/language";
import { ThemeChoice } from "../../shared/parts/theme";
import type { Collection } from "../api";
import type { Update } from "../hooks";
import { basket, useStored } from "../saved";
import { emptyState, writeState, type State } from "../state";
import { speech, t } from "../texts";

interface Props {
  state: State;
  update: Update;
  collection: Collection | null;
  funnel: boolean;
  concordances: boolean;
}

export function Heading({ state, update, collection, funnel, concordances }: Props): JSX.Element {
  const kept = useStored(basket).length;
  const link = (view: State["view"], name: string) => (
    <a
      href={writeState({ ...emptyState(), view })}
      aria-current={state.view === view ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        update({ view });
      }}
    >
      {name}
    </a>
  );
  return (
    <header class="top">
      <div class="brand">
        {state.view === "search" ? <h1>{t.name}</h1> : <p class="h1">{t.name}</p>}
        <p class="lead">{t.lead}</p>
      </div>
      <nav aria-label={t.pages.label}>
        {collection && <span class="collection">{t.collection(collection.name, collection.voices || collection.pieces)}</span>}
        {link("search", t.pages.search)}
        {funnel && link("funnel", t.pages.funnel)}
        {concordances && <a href="/concordances">{t.pages.concordances}</a>}
        {link("saved", kept > 0 ? `${t.pages.saved} (${speech.number(kept)})` : t.pages.saved)}
        {link("api", t.pages.api)}
        <LanguageChoice />
        <ThemeChoice />
      </nav>
    </header>
  );
}
