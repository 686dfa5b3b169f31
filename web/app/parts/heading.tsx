import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Collection } from "../api";
import type { Update } from "../hooks";
import { emptyState, writeState, type State } from "../state";
import { t } from "../texts";

const kThemes = ["auto", "light", "dark"] as const;
type Theme = (typeof kThemes)[number];
const kStored = "rondo-colours";

function storedTheme(): Theme {
  try {
    return kThemes.find((one) => one === localStorage.getItem(kStored)) ?? "auto";
  } catch {
    return "auto"; // A browser may forbid storage.
  }
}

function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
    try {
      localStorage.setItem(kStored, theme);
    } catch {
      // Not remembered then.
    }
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">{t.theme.label}</span>
      <select value={theme} title={t.theme.label} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {kThemes.map((one) => (
          <option key={one} value={one}>
            {t.theme[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Props {
  state: State;
  update: Update;
  collection: Collection | null;
  funnel: boolean;
}

export function Heading({ state, update, collection, funnel }: Props): JSX.Element {
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
        {funnel && link("search", t.pages.search)}
        {funnel && link("funnel", t.pages.funnel)}
        <a href="/api/v1/openapi.json">{t.pages.api}</a>
        <ThemeChoice />
      </nav>
    </header>
  );
}
