// What stands behind the # of the address: an invitation when somebody arrives, later the place within the page.

export type View = { kind: "overview" | "instructions" } | { kind: "query"; number: number };
export type Fragment = { view: View } | { code: string } | { link: string };

export function readFragment(hash: string): Fragment {
  let text = hash.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    // As it is, then.
  }
  const query = /^query-(\d{1,4})$/.exec(text);
  if (query) return { view: { kind: "query", number: Number(query[1]) } };
  if (text === "instructions") return { view: { kind: "instructions" } };
  if (text === "" || text === "overview" || text === "main") return { view: { kind: "overview" } };
  return text.startsWith("open-") ? { link: text.slice("open-".length) } : { code: text };
}

/** The study's name: the second part of the path. */
export function studyOf(path: string): string {
  const name = path.split("/")[2] ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
