// Shared by the scripts that ask Verovio what it hears.

/** Starts and ends of all notes in playing order, by id, in quarters. */
export function timeline(toolkit) {
  const notes = [];
  const open = new Map();
  for (const entry of toolkit.renderToTimemap({})) {
    for (const id of entry.off ?? []) {
      if (open.has(id)) open.get(id).end = entry.qstamp;
    }
    for (const id of entry.on ?? []) {
      const note = { id, start: entry.qstamp, end: entry.qstamp };
      open.set(id, note);
      notes.push(note);
    }
  }
  return notes;
}
