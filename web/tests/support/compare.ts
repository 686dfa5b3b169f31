import type { Played } from "../../app/hear/rhythm";

/** How many notes of `sung` were heard: the right pitch, up to one transposition of the whole, at the right time, in order. */
export function notesRight(sung: readonly Played[], heard: readonly Played[], tolerance = 0.12): number {
  let best = 0;
  for (const by of new Set(heard.flatMap(({ midi }) => sung.map((note) => midi - note.midi)))) {
    let row = new Array<number>(heard.length + 1).fill(0);
    for (const note of sung) {
      const next = [0];
      heard.forEach((other, j) => {
        const same = other.midi - note.midi === by && Math.abs(other.start - note.start) <= tolerance;
        next.push(Math.max(next[j] ?? 0, row[j + 1] ?? 0, same ? (row[j] ?? 0) + 1 : 0));
      });
      row = next;
    }
    best = Math.max(best, row.at(-1) ?? 0);
  }
  return best;
}
