// The address is the state: /studies, /studies/+new, /studies/NAME, /studies/NAME/truth, /studies/NAME/audit,
// /studies/+candidates/SET.

import { useEffect, useState } from "preact/hooks";

export type Route = { page: "list" | "new" } | { page: "candidates"; set: string } | { page: "study" | "truth" | "audit"; name: string };

const kChanged = "rondo-route";

export function readRoute(path: string): Route {
  const [, , name = "", page = ""] = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  if (!name) return { page: "list" };
  if (name === "+new") return { page: "new" };
  if (name === "+candidates") return { page: "candidates", set: page };
  return { page: page === "truth" || page === "audit" ? page : "study", name };
}

export const pathOf = (route: Route): string =>
  "set" in route ? `/studies/+candidates/${encodeURIComponent(route.set)}` : "name" in route ? `/studies/${encodeURIComponent(route.name)}${route.page === "study" ? "" : `/${route.page}`}` : route.page === "new" ? "/studies/+new" : "/studies";

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new Event(kChanged));
  window.scrollTo(0, 0);
}

/** A link within these pages, still a link for whoever wants a new window. */
export const follow = (event: MouseEvent): void => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go((event.currentTarget as HTMLAnchorElement).getAttribute("href") ?? "/studies");
};

export function useRoute(): Route {
  const [route, set] = useState(() => readRoute(location.pathname));
  useEffect(() => {
    const changed = () => set(readRoute(location.pathname));
    addEventListener("popstate", changed);
    addEventListener(kChanged, changed);
    return () => {
      removeEventListener("popstate", changed);
      removeEventListener(kChanged, changed);
    };
  }, []);
  return route;
}
