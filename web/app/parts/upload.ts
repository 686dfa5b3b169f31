// A file of several tunes, cut into its tunes. Others come from the server as one piece with its voices.

export interface Part {
  name: string;
  text: string;
}

/** Records of a file of Plaine & Easie, which an empty line parts. */
function recordsOf(text: string): Part[] {
  return text
    .split(/\r?\n\s*\r?\n/)
    .filter((record) => /^@data:/m.test(record))
    .map((record) => ({ name: (/^@title:\s*(.*)$/m.exec(record)?.[1] ?? "").trim(), text: record.trim() }));
}

/** Tunes of a file of ABC or Plaine & Easie; of ABC, what stands before the first holds for all. One alone is no choice. */
export function tunesOf(text: string): Part[] {
  const records = recordsOf(text);
  if (records.length > 1) return records;
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
