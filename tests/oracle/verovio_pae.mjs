// What Verovio hears in incipits: one JSON line per sample with its notes [onset, duration, MIDI number] in quarters,
// ties merged and repeats played, and the MIDI numbers of its grace notes.
//   node verovio_pae.mjs FOLDER|FILE.jsonl ...
// In Verovio's own timing a grace note takes time from its neighbours. So pitches come from the incipit as it is, and
// times from its MEI with the grace notes taken out.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeline } from './verovio_timeline.mjs';

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'node_modules', 'verovio', 'dist');
const { default: createModule } = await import(path.join(web, 'verovio-module.mjs'));
const { VerovioToolkit } = await import(path.join(web, 'verovio.mjs'));
const toolkit = new VerovioToolkit(await createModule());
console.log = console.warn = console.error = () => {};  // Verovio reports here; only our lines go to stdout

function load(text, format) {
  toolkit.setOptions({ inputFrom: format, breaks: 'none' });
  return toolkit.loadData(text) && text !== '';
}

const plainId = (id) => id.replace(/-rend\d+$/, '');

function hear(text) {
  if (!load(text, 'pae')) return { loaded: false, notes: [], graces: [] };
  const mei = toolkit.getMEI({});
  const graceIds = new Set();
  const takeOut = (element) => {
    for (const [, id] of element.matchAll(/<note\b[^>]*?xml:id="([^"]+)"/g)) graceIds.add(id);
    return '';
  };
  const withoutGraces = mei
    .replace(/<graceGrp\b[\s\S]*?<\/graceGrp>/g, takeOut)
    .replace(/<note\b[^>]*\bgrace="[^>]*?(\/>|>[\s\S]*?<\/note>)/g, takeOut)
    .replace(/<beam\b[^>]*>\s*<\/beam>/g, '');
  const pitches = new Map();
  let played = timeline(toolkit);
  for (const note of played) pitches.set(note.id, toolkit.getMIDIValuesForElement(note.id).pitch);
  const graces = [...pitches.keys()].filter((id) => graceIds.has(plainId(id))).map((id) => pitches.get(id));

  const tieStarts = new Map();  // id of the second note -> id of the first
  for (const [tie] of mei.matchAll(/<tie\b[^>]*>/g)) {
    const start = /startid="#([^"]+)"/.exec(tie);
    const end = /endid="#([^"]+)"/.exec(tie);
    if (start && end) tieStarts.set(end[1], start[1]);
  }
  if (graceIds.size > 0) {
    load(withoutGraces, 'mei');
    played = timeline(toolkit);
  }
  const merged = [];
  for (const note of played) {
    const from = tieStarts.get(plainId(note.id));
    const before = merged.findLast((n) => plainId(n.id) === from && n.end === note.start);
    if (before) {
      before.end = note.end;
      before.id = note.id;
    } else {
      merged.push({ ...note, pitch: pitches.get(note.id) });
    }
  }
  return { loaded: true, notes: merged.map((n) => [n.start, n.end - n.start, n.pitch]), graces };
}

function* samples(place) {
  if (fs.statSync(place).isDirectory()) {
    for (const name of fs.readdirSync(place, { recursive: true }).sort()) {
      if (name.endsWith('.pae')) yield [name, fs.readFileSync(path.join(place, name), 'utf8')];
    }
  } else {
    const lines = fs.readFileSync(place, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      if (line.trim() !== '') yield [`${path.basename(place)}:${index + 1}`, line];
    }
  }
}

for (const place of process.argv.slice(2)) {
  for (const [sample, text] of samples(place)) {
    process.stdout.write(JSON.stringify({ sample, ...hear(text) }) + '\n');
  }
}
