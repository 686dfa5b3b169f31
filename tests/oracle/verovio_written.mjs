// What Verovio hears in files that Rondo wrote: one JSON line per file with its notes [onset, duration, MIDI number,
// spelled pitch] in quarters, ties merged, and its grace notes [MIDI number, spelled pitch].
//   node verovio_written.mjs FILE...          the format follows from the extension
// Verovio lets a grace note take time from its neighbours. So pitches come from the file as it is, and times from its
// MEI with the grace notes taken out.

import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import { timeline } from './verovio_timeline.mjs';

const dist =
    path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'node_modules', 'verovio', 'dist');
// Only the larger build of Verovio reads Humdrum, and EsAC by way of it.
const humdrum = process.argv.slice(2).some((file) => file.endsWith('.krn') || file.endsWith('.esac'));
const {default: createModule} =
    await import(path.join(dist, humdrum ? 'verovio-module-hum.mjs' : 'verovio-module.mjs'));
const {VerovioToolkit} = await import(path.join(dist, 'verovio.mjs'));
const toolkit = new VerovioToolkit(await createModule());
console.log = console.warn = console.error = () => {};  // Verovio reports here; only our lines go to stdout

const kFormats = {
  '.pae': 'pae',
  '.mei': 'mei',
  '.krn': 'humdrum',
  '.esac': 'esac',
  '.abc': 'abc',
  '.musicxml': 'musicxml'
};
const kSigns = {
  s: '#',
  f: 'b',
  ss: '##',
  x: '##',
  ff: 'bb',
  ts: '###',
  tf: 'bbb',
  n: ''
};

function load(text, format) {
  toolkit.setOptions({inputFrom: format, breaks: 'none'});
  return toolkit.loadData(text) && text !== '';
}

const attribute = (element, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];

/** id -> "F#4", from the MEI that Verovio makes of the file. */
function spellings(mei) {
  const names = new Map();
  for (const [element, open] of mei.matchAll(/(<note\b[^>]*?)(?:\/>|>[\s\S]*?<\/note>)/g)) {
    const accid = /<accid\b[^>]*>/.exec(element)?.[0] ?? '';
    const sign = attribute(accid, 'accid') ?? attribute(accid, 'accid.ges') ?? attribute(open, 'accid') ??
        attribute(open, 'accid.ges') ?? 'n';
    names.set(
        attribute(open, 'xml:id'),
        attribute(open, 'pname').toUpperCase() + (kSigns[sign] ?? `?${sign}`) + attribute(open, 'oct'));
  }
  return names;
}

function hear(text, format) {
  if (!load(text, format)) return {loaded: false, notes: [], graces: []};
  const mei = toolkit.getMEI({});
  const graceIds = new Set();
  const takeOut = (element) => {
    for (const [, id] of element.matchAll(/<note\b[^>]*?xml:id="([^"]+)"/g)) graceIds.add(id);
    return '';
  };
  const withoutGraces = mei.replace(/<graceGrp\b[\s\S]*?<\/graceGrp>/g, takeOut)
                            .replace(/<note\b[^>]*\bgrace="[^>]*?(\/>|>[\s\S]*?<\/note>)/g, takeOut)
                            .replace(/<beam\b[^>]*>\s*<\/beam>/g, '');
  const names = spellings(mei);
  const pitches = new Map();
  let played = timeline(toolkit);
  for (const note of played) pitches.set(note.id, toolkit.getMIDIValuesForElement(note.id).pitch);
  const graces = [...names.keys()].filter((id) => graceIds.has(id)).map((id) => [pitches.get(id) ?? 0, names.get(id)]);

  const tieStarts = new Map();  // id of the second note -> id of the first
  for (const [tie] of mei.matchAll(/<tie\b[^>]*>/g)) {
    const start = attribute(tie, 'startid');
    const end = attribute(tie, 'endid');
    if (start && end) tieStarts.set(end.slice(1), start.slice(1));
  }
  if (graceIds.size > 0) {
    load(withoutGraces, 'mei');
    played = timeline(toolkit);
  }
  const merged = [];
  for (const note of played) {
    const from = tieStarts.get(note.id);
    const before = merged.findLast((n) => n.id === from && Math.abs(n.end - note.start) < 1e-6);
    if (before) {
      before.end = note.end;
      before.id = note.id;
    } else {
      merged.push({...note, pitch: pitches.get(note.id), name: names.get(note.id)});
    }
  }
  return {loaded: true, notes: merged.map((n) => [n.start, n.end - n.start, n.pitch, n.name]), graces};
}

const kSharps = 'fcgdaeb';

/**
 * Of Humdrum Verovio keeps the accidentals that are printed, and neither applies the key signature nor repeats them
 * within the measure. Says for each note of its MEI (one staff) what sounds.
 */
function withSounding(mei) {
  const ties = new Map();
  for (const [tie] of mei.matchAll(/<tie\b[^>]*>/g)) {
    ties.set((attribute(tie, 'endid') ?? '').slice(1), (attribute(tie, 'startid') ?? '').slice(1));
  }
  let signature = new Map();
  let measure = new Map();
  const sounds = new Map();  // id -> accidental
  return mei.replace(
      /<measure\b[^>]*>|<keySig\b[^>]*?(?:\/>|>[\s\S]*?<\/keySig>)|<note\b[^>]*?(?:\/>|>[\s\S]*?<\/note>)/g,
      (element) => {
        if (element.startsWith('<measure')) {
          measure = new Map();
          return element;
        }
        if (element.startsWith('<keySig')) {
          const sig = attribute(element, 'sig') ?? '0';
          const count = parseInt(sig, 10);
          const names = sig.endsWith('f') ? [...kSharps].reverse() : [...kSharps];
          signature = new Map(names.slice(0, count).map((name) => [name, sig.endsWith('f') ? 'f' : 's']));
          for (const [accid] of element.matchAll(/<keyAccid\b[^>]*>/g)) {
            signature.set(attribute(accid, 'pname'), attribute(accid, 'accid'));
          }
          return element;
        }
        const open = /<note\b[^>]*?(?=\/?>)/.exec(element)[0];
        const accid = /<accid\b[^>]*>/.exec(element)?.[0] ?? '';
        const place = attribute(open, 'pname') + attribute(open, 'oct');
        const printed = attribute(accid, 'accid') ?? attribute(open, 'accid');
        if (printed) measure.set(place, printed);
        const id = attribute(open, 'xml:id');
        const tied = sounds.get(ties.get(id));
        const sound = printed ?? tied ?? measure.get(place) ?? signature.get(attribute(open, 'pname')) ?? 'n';
        sounds.set(id, sound);
        return `${open.replace(/\saccid(\.ges)?="[^"]*"/g, '')} accid.ges="${sound}"/>`;
      });
}

function answer(text, format) {
  if (format !== 'humdrum' && format !== 'esac') return hear(text, format);
  return load(text, format) ? {loaded: true, mei: withSounding(toolkit.getMEI({}))} : {loaded: false};
}

for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, 'utf8');
  let heard = {loaded: false};
  try {
    heard = answer(text, kFormats[path.extname(file)]);
  } catch (error) {
    heard.why = String(error);
  }
  process.stdout.write(JSON.stringify({file: path.basename(file), ...heard}) + '\n');
}
