// What Verovio makes of MEI files, for comparison: node verovio_notes.mjs PATH_TO_VEROVIO (notes|render) FILE...
// For each a line "file NAME" or "failed NAME", then "note ONSET END MIDI" in quarters, repeats as written; with
// render also "pages COUNT BYTES", the bytes of all pages as SVG.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, mode, ...files] = process.argv.slice(2);
const load = async (name) => import(pathToFileURL(path.join(dist, name)).href);
const createModule = (await load('verovio-module.mjs')).default;
const { VerovioToolkit } = await load('verovio.mjs');
const toolkit = new VerovioToolkit(await createModule());
console.warn = () => {};
toolkit.setOptions({ expandNever: true, breaks: mode === 'render' ? 'auto' : 'none', header: 'none', footer: 'none' });

for (const file of files) {
  if (!toolkit.loadData(fs.readFileSync(file, 'utf8'))) {
    console.log(`failed ${path.basename(file)}`);
    continue;
  }
  console.log(`file ${path.basename(file)}`);
  if (mode === 'render') {
    let bytes = 0;
    for (let page = 1; page <= toolkit.getPageCount(); ++page) bytes += toolkit.renderToSVG(page).length;
    console.log(`pages ${toolkit.getPageCount()} ${bytes}`);
  }
  const begin = new Map();
  for (const moment of toolkit.renderToTimemap({})) {
    for (const id of moment.on ?? []) begin.set(id, moment.qstamp);
    for (const id of moment.off ?? []) {
      if (!begin.has(id)) continue;
      console.log(`note ${begin.get(id)} ${moment.qstamp} ${toolkit.getMIDIValuesForElement(id).pitch}`);
      begin.delete(id);
    }
  }
}
