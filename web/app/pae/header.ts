// The one line of Plaine & Easie that the query box holds: an optional header `%clef$key@time `, then the notes.

export interface Signature {
  clef: string;
  key: string;
  time: string;
}

export interface Line {
  signature: Signature;
  /** Everything before the notes, as written: version mark, header and the blank after it. */
  head: string;
  notes: string;
}

export const kPlain: Signature = { clef: "", key: "", time: "" };

const kHead = /^\s*(;pe2\s*)?((?:[%$@][^%$@\s]*\s*)*)/;
const kMarks = { "%": "clef", $: "key", "@": "time" } as const;

/** Lines such as `@clef:G-2` are another way to write PAE; ABC and kern have marks of their own. */
export const isOneLine = (text: string): boolean =>
  !/^\s*@\w+:/m.test(text) && !/^\s*[A-Z]:/m.test(text) && !text.includes("**") && !/^\s*(<|[{[]\s*")/.test(text);

export function splitLine(text: string): Line {
  const found = kHead.exec(text);
  const head = found?.[0] ?? "";
  const signature = { ...kPlain };
  for (const [, mark, value] of (found?.[2] ?? "").matchAll(/([%$@])([^%$@\s]*)/g))
    signature[kMarks[mark as keyof typeof kMarks]] = value ?? "";
  return { signature, head, notes: text.slice(head.length) };
}

/** The same notes under another signature; a signature of nothing but defaults leaves no trace. */
export function withSignature(text: string, change: Partial<Signature>): string {
  const line = splitLine(text);
  const { clef, key, time } = { ...line.signature, ...change };
  const version = /^\s*;pe2/.test(line.head) ? ";pe2 " : "";
  const header = (clef && `%${clef}`) + (key && `$${key}`) + (time && `@${time}`);
  return `${version}${header}${header && " "}${line.notes}`;
}

/** What a server or a clipboard may hold (lines of `@data:` and the like, or one line) as one line for the box. */
export function asOneLine(pae: string, signature: Partial<Signature> = {}): string {
  const fields = new Map<string, string>();
  for (const [, name, value] of pae.matchAll(/^@(\w+):(.*)$/gm)) fields.set(name ?? "", (value ?? "").trim());
  const data = fields.get("data");
  if (data !== undefined) {
    return withSignature(data, {
      clef: fields.get("clef") ?? "",
      key: fields.get("keysig") ?? "",
      time: fields.get("timesig") ?? "",
    });
  }
  const line = splitLine(pae.trim());
  return line.head.trim() ? pae.trim() : withSignature(pae.trim(), signature);
}

/** The alteration that a key signature such as `xFC` or `bB[EA]` gives each note name. */
export function alterations(key: string): Map<string, number> {
  const result = new Map<string, number>();
  let alteration = 0;
  for (const letter of key) {
    if (letter === "x") alteration = 1;
    else if (letter === "b") alteration = -1;
    else if (/[A-G]/.test(letter)) result.set(letter, alteration);
  }
  return result;
}

/** Sharps of a key signature; flats count as negative. */
export function fifths(key: string): number {
  let sum = 0;
  for (const alteration of alterations(key).values()) sum += alteration;
  return sum;
}
