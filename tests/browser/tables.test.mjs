// The tables of a truth as a file of its own, opened from the disk. Run by ctest (label browser).

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kHostileTitle, kMelodies } from "./mock/melodies.mjs";
import { makeMelody } from "./mock/music.mjs";
import { truthOf } from "./mock/truth.mjs";
import { assertAccessible, assertQuiet, launch, visitor } from "./support/browser.mjs";
import { assertLooks } from "./support/pictures.mjs";

const dist = join(process.env.RONDO_WEB, "dist");
const truth = { study: "tunes", title: "Which tunes?", simulated: true, ...truthOf(kMelodies.map(makeMelody), "paper", 0.25) };
const [query] = truth.queries;
const last = query.candidates.findLastIndex((one) => one.border_above);

let place;
let browser;
let who;
let page;

/** The page as the program writes it. */
function write(data) {
  const policy = "default-src 'none'; script-src 'nonce-1' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Tables</title><style>${readFileSync(join(dist, "tables.css"), "utf8")}</style></head><body><script type="application/json" id="rondo-tables">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script><script nonce="1">${readFileSync(join(dist, "tables.js"), "utf8")}</script></body></html>`;
  const file = join(place, "tables.html");
  writeFileSync(file, html);
  return `file://${file}`;
}

before(async () => {
  place = mkdtempSync(join(tmpdir(), "rondo-tables-"));
  browser = await launch();
  who = await visitor(browser);
  page = who.page;
  await page.goto(write(truth));
});
after(async () => {
  await browser?.close();
  rmSync(place, { recursive: true, force: true });
});

const rows = () => page.locator("#table-1 tbody tr[data-id]");

test("every incipit is engraved without a network, and the order and borders are those of the truth", async () => {
  await page.waitForFunction(() => [...document.querySelectorAll(".score[role=img]")].every((one) => one.classList.contains("engraved")), null, { polling: 500 });
  const count = Math.min(query.candidates.length, last + 3);
  assert.equal(await rows().count(), count, "a little beyond the last border");
  assert.deepEqual(await rows().evaluateAll((all) => all.map((one) => one.dataset.id)), query.candidates.slice(0, count).map(({ id }) => id));
  assert.deepEqual(await rows().evaluateAll((all) => all.map((one) => one.classList.contains("border"))), query.candidates.slice(0, count).map((one) => one.border_above));
  assert.equal(await page.locator(".simulated").isVisible(), true);
  assert.deepEqual(who.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:")), []);
});

test("a plot has a dot for every vote, one median, one mean, and a square for every candidate above", async () => {
  for (const at of [0, 1, last]) {
    const row = rows().nth(at);
    const one = query.candidates[at];
    assert.equal(await row.locator(".vote").count(), one.votes);
    assert.equal(await row.locator(".median").count(), 1);
    assert.equal(await row.locator(".mean").count(), 1);
    assert.equal(await row.locator(".box").count(), 1);
    assert.equal(await row.locator(".frame").count(), at);
  }
  const heights = await rows().nth(last).locator(".test-bar g").evaluateAll((all) => all.map((one) => Number(one.querySelector(".dark")?.getAttribute("height") ?? 0) / Number(one.querySelector(".frame").getAttribute("height"))));
  heights.forEach((height, i) => assert.ok(Math.abs(height - query.candidates[last].p[i]) < 0.01, `p ${i}`));
});

test("all candidates are shown on request", async () => {
  await page.getByLabel("Every candidate in every table").check();
  assert.equal(await rows().count(), query.candidates.length);
  await page.getByLabel("Every candidate in every table").uncheck();
  await page.getByRole("button", { name: /Show all/ }).first().click();
  assert.equal(await rows().count(), query.candidates.length);
  assert.ok(await page.getByText(kHostileTitle).count(), "a title is only ever text");
  assert.equal(await page.evaluate(() => window.caught), undefined);
});

test("axe finds nothing, also on a phone, which never scrolls sideways", async () => {
  await assertAccessible(page, "tables");
  await assertLooks(page, "tables");
  await page.setViewportSize({ width: 390, height: 800 });
  await assertAccessible(page, "tables on a phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await assertLooks(page, "tables-phone");
  await page.setViewportSize({ width: 1200, height: 900 });
});

test("it prints on white, without controls, each query on a page of its own", async () => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  for (const gone of [".play", ".controls", ".query-table button"]) assert.equal(await page.locator(gone).first().isVisible(), false, gone);
  assert.equal(await page.locator("#table-2").evaluate((one) => getComputedStyle(one).breakBefore), "page");
  assert.equal((await page.pdf({ format: "A4" })).subarray(0, 5).toString(), "%PDF-");
  assertQuiet(who);
});

test("a file without data says so", async () => {
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.goto(write(null));
  await page.getByText("no readable data").waitFor();
});
