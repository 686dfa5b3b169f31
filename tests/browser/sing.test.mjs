// Singing as the page hears it. A few melodies come through a microphone that plays a file, in a real browser; forty go
// through the same modules without one, and what they heard is searched for among the folk songs beside the repository.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertQuiet, launch, visitor } from "./support/browser.mjs";
import { importPage } from "./support/bundle.mjs";
import { run, startCollection, startProgram } from "./support/program.mjs";
import { wav } from "./support/wav.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const songs = join(process.env.RONDO_DATA ?? join(here, "../../../shared/data"), "essen-abc");
// As in tests/support/data.h: in CI the songs must be there, unless RONDO_WITHOUT_DATA allows that they are not.
const needed = (process.env.CI === "true" || process.env.RONDO_NEED_DATA) && !process.env.RONDO_WITHOUT_DATA;

let page;
let folder;
before(async () => {
  page = await importPage("tests/support/index.ts");
  folder = mkdtempSync(join(tmpdir(), "rondo-sing-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What the page writes after it has heard this. */
function heard(notes, manner, seed) {
  const kRate = 16_000;
  const frames = new page.PitchTracker(kRate).push(page.voice(notes, manner, kRate, seed));
  return page.inComfortableOctave(page.segment(frames));
}

/** Of an exported melody, the notes to sing: pitches in order, times in seconds. */
function score({ notes }, tempo, most) {
  const whole = 240 / tempo;
  return notes.slice(0, most).map(([onset, duration, midi]) => ({ midi, start: parts(onset) * whole, end: (parts(onset) + parts(duration)) * whole }));
}
const parts = (text) => {
  const [above, below = 1] = String(text).split("/");
  return Number(above) / Number(below);
};

test("of forty folk songs that were sung, nine notes of ten are right and nine songs of ten are found", { skip: existsSync(songs) || needed ? false : `needs ${songs}` }, async () => {
  const db = join(folder, "songs.db");
  run("import", songs, "--db", db);
  const long = run("export", "--db", db, "--where", "notes >= 16").split("\n").filter(Boolean);
  const manners = Object.values(page.kManners);
  let sung = 0;
  let right = 0;
  // All are heard before the first is searched for: meanwhile nothing else is done here, and a server closes idle connections.
  const takes = Array.from({ length: 40 }, (_, i) => {
    const melody = JSON.parse(long[Math.floor(((i + 0.5) * long.length) / 40)]);
    const manner = manners[i % manners.length];
    const notes = page.timed(score(melody, 80 + 3 * (i % 12), 20), manner, i + 1);
    const taken = heard(notes, manner, i + 1);
    sung += notes.length;
    right += page.notesRight(notes, taken);
    return { id: melody.id, q: page.writeTake({ notes: taken, tempo: 0, rhythmOnly: false }, "") };
  });
  const { child, url } = await startProgram(db);
  try {
    const { voices } = await (await fetch(`${url}/api/v1/collection`)).json();
    assert.ok(voices >= 8000, `${voices} songs`);
    let found = 0;
    const missed = [];
    for (const { id, q } of takes) {
      const { hits } = await (await fetch(`${url}/api/v1/search?${new URLSearchParams({ q, k: "3" })}`)).json();
      if (hits?.some((hit) => hit.id === id || hit.duplicates?.includes(id))) ++found;
      else missed.push(`${id}: ${q}`);
    }
    console.log(`${right} of ${sung} notes right, ${found} of 40 songs among the first three of ${voices}`);
    assert.ok(right / sung >= 0.9, `${right} of ${sung} notes`);
    assert.ok(found >= 36, `${found} of 40 found; not:\n${missed.join("\n")}`);
  } finally {
    child.kill("SIGTERM");
  }
});

const listening = (file) => launch(["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", `--use-file-for-fake-audio-capture=${file}%noloop`]);

for (const [tune, manner] of [["maman", "vibrato"], ["horn", "whistling"]]) {
  test(`what is sung into the microphone appears on the staff and is searched for: ${tune}, ${manner}`, async () => {
    const kRate = 48_000;
    const notes = page.timed(page.tune(page.kTunes[tune], 110), page.kManners[manner], 5);
    const file = join(folder, `${tune}.wav`);
    const silence = new Float32Array(kRate * 1.5); // until the page listens
    const sound = page.voice(notes, page.kManners[manner], kRate, 5);
    const all = new Float32Array(silence.length + sound.length + silence.length);
    all.set(sound, silence.length);
    writeFileSync(file, wav(all, kRate));
    const server = await startCollection();
    const browser = await listening(file);
    try {
      const who = await visitor(browser);
      await who.page.goto(server.url);
      await who.page.getByRole("button", { name: "Sing or hum" }).click();
      await who.page.getByRole("button", { name: "Start listening" }).click();
      await who.page.getByText("Listening …").waitFor();
      // The last note has been heard: for a second nothing is added.
      const written = () => who.page.locator("#melody").inputValue();
      await who.page.waitForFunction((least) => document.querySelector("#melody").value.replace(/[^A-G]/g, "").length >= least, Math.floor(0.8 * notes.length));
      for (let before = ""; before !== (await written()); await who.page.waitForTimeout(2000)) before = await written();
      await who.page.getByRole("button", { name: "Stop listening" }).click();
      await who.page.locator(".take-tempo input").waitFor();
      const { notes: read } = await (await fetch(`${server.url}/api/v1/query?${new URLSearchParams({ q: await written() })}`)).json();
      // A busy machine may lose some of the sound, which splits notes; those that were sung are there all the same.
      const heardNotes = read.map(({ midi }) => ({ midi, start: 0, end: 1 }));
      const right = page.notesRight(notes, heardNotes, Number.POSITIVE_INFINITY);
      assert.ok(right >= 0.8 * notes.length && read.length <= 1.5 * notes.length, `${await written()}: ${right} of ${notes.length} notes`);
      await who.page.locator(".results .hit").first().waitFor();
      assert.ok(who.requests.every((url) => !/audio|wav/.test(url)), "no sound is sent");
      assertQuiet(who);
    } finally {
      await browser.close();
      server.close();
    }
  });
}

test("a microphone that is refused or absent is explained, and can be tried again", async () => {
  const server = await startCollection();
  const browser = await launch();
  try {
    const who = await visitor(browser);
    await who.page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", window.refusal ?? "NotAllowedError"));
    });
    await who.page.goto(server.url);
    await who.page.getByRole("button", { name: "Sing or hum" }).click();
    await who.page.getByRole("button", { name: "Start listening" }).click();
    await who.page.getByText("The browser denied access to the microphone").waitFor();
    await who.page.evaluate(() => (window.refusal = "NotFoundError"));
    await who.page.getByRole("button", { name: "Start listening" }).click();
    await who.page.getByText("No microphone was found").waitFor();
    assertQuiet(who);
  } finally {
    await browser.close();
    server.close();
  }
});
