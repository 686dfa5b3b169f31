// Everything a search is lies in the address, under the names the API uses: the same address asks the API for the same
// search, back and forward work, and a link stays good.

export const kFacets = ["composer", "key", "time", "clef", "century", "library"] as const;
export type Facet = (typeof kFacets)[number];

export const kSwitches = ["anchored", "ignore_repeated", "fold_octaves", "graces", "fold_duplicates"] as const;
export type Switch = (typeof kSwitches)[number];

/** What one may look for, in plain words, and the system behind each; the empty name is the server's default. */
export const kModes = { tune: "", intervals: "2010-domain", rhythm: "rhythm", contour: "contour", exact: "P1" } as const;
export type Mode = keyof typeof kModes;

export const kSorts = ["score", "year", "title"] as const;
export type Sort = (typeof kSorts)[number];

export const kViews = ["search", "funnel", "saved", "api"] as const;
export type View = (typeof kViews)[number];

export interface State {
  q: string;
  /** The server's key for `q` where that is too long for an address. */
  m: string;
  id: string;
  system: string;
  text: string;
  where: string;
  facets: Record<Facet, string[]>;
  switches: Record<Switch, boolean>;
  /** Parameters of the system that differ from its standard. */
  set: Record<string, number>;
  sort: Sort;
  k: number;
  offset: number;
  /** Systems shown beside the first. */
  beside: string[];
  /** The melody whose details are open. */
  show: string;
  view: View;
  steps: string;
}

export const kPage = 20;
export const kMostBeside = 2;

export const emptyState = (): State => ({
  q: "",
  m: "",
  id: "",
  system: "",
  text: "",
  where: "",
  facets: { composer: [], key: [], time: [], clef: [], century: [], library: [] },
  switches: { anchored: false, ignore_repeated: false, fold_octaves: false, graces: false, fold_duplicates: false },
  set: {},
  sort: "score",
  k: kPage,
  offset: 0,
  beside: [],
  show: "",
  view: "search",
  steps: "",
});

const kWords = ["q", "m", "id", "system", "text", "where"] as const;

/** Servers and mail programs cut long addresses: a longer melody is sent in the body of a question. */
const kLongestInAddress = 1500;
export const isLong = (q: string): boolean => encodeURIComponent(q).length > kLongestInAddress;

function count(text: string | null, standard: number, lowest: number, highest: number): number {
  if (text === null || !/^\d{1,9}$/.test(text)) return standard;
  return Math.min(highest, Math.max(lowest, Number(text)));
}

/** Anything can stand in an address: what is not understood is left out. */
export function readState(address: string): State {
  const given = new URLSearchParams(address);
  const state = emptyState();
  for (const name of kWords) state[name] = given.get(name) ?? "";
  for (const name of kFacets) state.facets[name] = [...new Set(given.getAll(name).filter(Boolean))];
  for (const name of kSwitches) state.switches[name] = given.get(name) === "1";
  for (const one of given.getAll("set")) {
    const [, name, value] = /^([\w-]+):(-?\d+(?:\.\d+)?(?:e-?\d+)?)$/i.exec(one) ?? [];
    if (name) state.set[name] = Number(value);
  }
  state.sort = kSorts.find((one) => one === given.get("sort")) ?? "score";
  state.k = count(given.get("k"), kPage, 1, 100);
  state.offset = count(given.get("offset"), 0, 0, 1_000_000);
  state.beside = [...new Set(given.getAll("beside").filter((name) => name && name !== state.system))].slice(0, kMostBeside);
  state.show = given.get("show") ?? "";
  state.view = kViews.find((one) => one === given.get("view")) ?? "search";
  state.steps = given.get("steps") ?? "";
  return state;
}

/** What the API is asked; only what differs from the standard is written. A long melody stands there by its key, if at all. */
export function searchParameters(state: State): URLSearchParams {
  const result = new URLSearchParams();
  const hidden = { q: Boolean(state.id || state.m) || isLong(state.q), m: Boolean(state.id) };
  for (const name of kWords) if (state[name] && !((name === "q" || name === "m") && hidden[name])) result.set(name, state[name]);
  for (const name of kFacets) for (const value of state.facets[name]) result.append(name, value);
  for (const name of kSwitches) if (state.switches[name]) result.set(name, "1");
  for (const [name, value] of Object.entries(state.set)) result.append("set", `${name}:${value}`);
  if (state.sort !== "score") result.set("sort", state.sort);
  if (state.k !== kPage) result.set("k", String(state.k));
  if (state.offset > 0) result.set("offset", String(state.offset));
  return result;
}

export function writeState(state: State): string {
  const result = searchParameters(state);
  for (const name of state.beside) result.append("beside", name);
  if (state.show) result.set("show", state.show);
  if (state.view !== "search") result.set("view", state.view);
  if (state.view === "funnel" && state.steps) result.set("steps", state.steps);
  const text = result.toString();
  return text ? `/?${text}` : "/";
}

/** Something to search by: a melody, an id or words. */
export const asks = (state: State): boolean => Boolean(state.q.trim() || state.m || state.id || state.text.trim());

export const chosenFacets = (state: State): number => kFacets.reduce((sum, name) => sum + state.facets[name].length, 0);
