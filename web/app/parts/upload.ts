// A file of several tunes, cut into its tunes. Others come from the server as one piece with its voices.

export interface Part {
  name: string;
  text: string;
}

/** Tunes of an ABC file; what stands before the first holds for all. One part alone is no choice. */
export function tunesOf(text: string): Part[] {
  const starts = [...text.matchAll(/^X:/gm)].map(({ index }) => index);
  if (starts.length < 2) return [];
  const shared = text
    .slice(0, starts[0])
    .split("\n")
    .filter((line) => /^([A-Z]:|%%)/.test(line))
    .map((line) => `${line}\n`)
    .join("");
  return starts.map((start, i) => {
    const tune = text.slice(start, starts[i + 1]).trimEnd();
    return { name: (/^T:\s*(.*)$/m.exec(tune)?.[1] ?? "").trim(), text: tune.replace(/^(X:.*\n)/, `$1${shared}`) };
  });
}
