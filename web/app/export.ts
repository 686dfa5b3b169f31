// The basket as files.

import type { Kept } from "./saved";

const kColumns = ["id", "title", "composer", "year", "library", "shelfmark", "source", "uri", "pae"] as const;

/** A cell as RFC 4180 has it; one that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: string | number | null | undefined): string {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const asCsv = (all: readonly Kept[]): string => [kColumns.join(","), ...all.map((one) => kColumns.map((name) => cell(one[name])).join(","))].map((row) => `${row}\r\n`).join("");

export const asJson = (all: readonly Kept[]): string => `${JSON.stringify(all, null, 2)}\n`;

const escaped = (text: string): string => text.replace(/[\\{}]/g, (sign) => (sign === "\\" ? "\\textbackslash{}" : `\\${sign}`)).replace(/[&%$#_]/g, "\\$&");

/** One entry for each melody; `link` gives its stable address. */
export function asBibtex(all: readonly Kept[], link: (id: string) => string): string {
  const used = new Map<string, number>();
  return all
    .map((one) => {
      const plain = one.id.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "melody";
      const times = used.get(plain) ?? 0;
      used.set(plain, times + 1);
      const place = [one.library, one.shelfmark].filter(Boolean).join(" ");
      const fields: [string, string][] = [
        ["author", one.composer ?? ""],
        ["title", one.title ?? ""],
        ["year", String(one.year ?? "")],
        ["howpublished", place],
        ["note", [one.source ?? "", one.id].filter(Boolean).join("; ")],
      ];
      const lines = fields.filter(([, value]) => value).map(([name, value]) => `  ${name} = {${escaped(value)}},\n`);
      return `@misc{${plain}${times > 0 ? `-${times + 1}` : ""},\n${lines.join("")}  url = {${link(one.id)}}\n}\n`;
    })
    .join("\n");
}

/** Whole MEI files as one corpus. */
export function asCorpus(files: readonly string[]): string {
  const inner = files.map((text) => text.replace(/^\uFEFF?\s*(<\?[\s\S]*?\?>\s*|<!DOCTYPE[^>]*>\s*)*/, "").trim());
  return `<?xml version="1.0" encoding="UTF-8"?>\n<meiCorpus xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.0">\n<meiHead><fileDesc><titleStmt><title>Rondo</title></titleStmt><pubStmt /></fileDesc></meiHead>\n${inner.join("\n")}\n</meiCorpus>\n`;
}
