// The report page as a person meets it: in a browser, by mouse and by keyboard, wide and narrow, light and dark, printed.
// Run by ctest (label browser) as: node --test report.test.mjs, with RONDO_PROGRAM and RONDO_WEB set.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";

const web = createRequire(join(process.env.RONDO_WEB, "package.json"));
const { chromium } = web("playwright-core");
const axe = readFileSync(web.resolve("axe-core/axe.min.js"), "utf8");

// Names that would be markup if anything took them for it. Columns of a run are parted by blanks, so they have none.
const kHostileQuery = "</script><img/src=x/onerror=window.caught=1>";
const kHostileDocument = "<script>window.caught=2</script>";
const kHostileSystem = "<b>O'Neill&co</b>";
const kSystems = ["alpha", "beta", kHostileSystem];
const kQueries = 12;

let folder;
let browser;
let page;
let problems;
let requests;

const rondo = (...words) => execFileSync(process.env.RONDO_PROGRAM, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });

/** A small generator of its own, so that the same files are made every time. */
function* randomNumbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function writeFiles() {
  const random = randomNumbers(7);
  const next = () => random.next().value;
  const queries = Array.from({ length: kQueries }, (_, i) => (i === 3 ? kHostileQuery : `query-${i + 1}`));
  const truth = [];
  const runs = kSystems.map(() => []);
  queries.forEach((query, q) => {
    const relevant = Array.from({ length: 6 }, (_, i) => (i === 0 ? kHostileDocument : `r${q}-${i}`));
    relevant.forEach((document, i) => truth.push(`${query} 0 ${document} ${1 + Math.floor(i / 2)}`));
    kSystems.forEach((name, s) => {
      if (s === 1 && q === 5) return; // beta does not answer the sixth query
      const found = relevant.filter(() => next() < 0.9 - 0.2 * s);
      const answer = [...found, ...Array.from({ length: 8 }, (_, i) => `n${q}-${i}`)]
        .map((document) => [document, next() + (document.startsWith("n") ? 0 : 0.6 - 0.15 * s)])
        .sort((a, b) => b[1] - a[1]);
      answer.forEach(([document, score], i) => runs[s].push(`${query} Q0 ${document} ${i + 1} ${score} ${name}`));
    });
  });
  writeFileSync(join(folder, "truth.txt"), `${truth.join("\n")}\n`);
  runs.forEach((run, s) => writeFileSync(join(folder, `${s}.run`), `${run.join("\n")}\n`));
}

const kArguments = ["evaluate", "--truth", "truth.txt", "0.run", "1.run", "2.run", "--collection-size", "500", "-m", "ADR,AP,P@5,fallout"];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rondo-browser-"));
  writeFiles();
  rondo(...kArguments, "--report", "report.html");
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: 60_000,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options = {}) {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(20_000);
  problems = [];
  requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${join(folder, "report.html")}`);
}

beforeEach(() => open());

afterEach(() => {
  assert.deepEqual(problems, [], "the console stays empty");
  const other = requests.filter((url) => !url.startsWith("file://") && !url.startsWith("blob:"));
  assert.deepEqual(other, [], "nothing is asked of any network");
});

const summaryTable = () => page.locator("#summary table.summary");
const column = (table, n) => table.locator(`tbody tr > :nth-child(${n})`).allInnerTexts();
const numbers = (texts) => texts.map((text) => Number.parseFloat(text));
const rising = (values) => values.every((value, i) => i === 0 || values[i - 1] <= value);

test("hostile names are shown as they are and do nothing", async () => {
  assert.deepEqual(await column(summaryTable(), 1), kSystems);
  await page.selectOption("#query", { label: kHostileQuery });
  assert.equal(await page.locator("#queries h3").innerText(), kHostileQuery);
  assert.ok((await page.locator("#queries .truth .chip").allInnerTexts()).includes(kHostileDocument));
  assert.equal(await page.evaluate(() => window.caught), undefined);
  assert.equal(await page.locator("main img, main b").count(), 0);
});

test("numbers are those of the command line", async () => {
  const shown = JSON.parse(rondo(...kArguments, "--format", "json"));
  for (const [s, run] of shown.runs.entries()) {
    const cells = await summaryTable().locator(`tbody tr:nth-child(${s + 1}) td`).allInnerTexts();
    const means = shown.measures.map((measure) => run.mean[measure].toFixed(4));
    assert.deepEqual(cells.slice(0, means.length).map((cell) => cell.split("\n")[0]), means);
  }
});

test("the summary sorts by mouse", async () => {
  const heading = summaryTable().locator("thead th", { hasText: "ADR" });
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  assert.ok(rising(numbers(await column(summaryTable(), 2)).reverse()));
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  assert.ok(rising(numbers(await column(summaryTable(), 2))));
});

test("a measure where lower is better has its best on top first", async () => {
  await summaryTable().locator("thead th", { hasText: "fallout" }).locator("button").click();
  assert.ok(rising(numbers(await column(summaryTable(), 5))));
});

test("tables sort by keyboard", async () => {
  const table = page.locator("#comparison table.scores");
  const button = table.locator("thead th:nth-child(2) button");
  await button.focus();
  await page.keyboard.press("Enter");
  assert.ok(rising(numbers(await column(table, 2)).reverse()));
  await page.keyboard.press("Space");
  assert.ok(rising(numbers(await column(table, 2))));
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.equal(focused, kSystems[1], "the next stop is the next heading");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid", "focus can be seen");
});

test("numbers stand to the right", async () => {
  const align = await page.locator("#comparison table.scores td").first().evaluate((cell) => getComputedStyle(cell).textAlign);
  assert.equal(align, "right");
});

test("bold is the best of the query, italic the best of the system, marks have their p-values", async () => {
  const [adr] = JSON.parse(rondo(...kArguments, "--compare", "--format", "json"));
  const table = page.locator("#comparison table.scores");
  for (const [s, system] of adr.systems.entries()) {
    const cells = table.locator(`tbody tr > :nth-child(${s + 2})`);
    const bold = await cells.evaluateAll((all) => all.map((cell) => cell.querySelector("strong") !== null));
    const italic = await cells.evaluateAll((all) => all.map((cell) => cell.querySelector("em") !== null));
    assert.deepEqual(bold, system.best_of_query);
    assert.deepEqual(italic, system.best_of_system);
  }
  for (const one of adr.tests) {
    const cell = table.locator(`tfoot tr:first-child > :nth-child(${adr.systems.findIndex((s) => s.name === one.other) + 2})`);
    assert.ok((await cell.innerText()).endsWith(one.mark));
    assert.ok((await cell.getAttribute("title")).includes(one.signed_rank_holm < 0.0001 ? "<.0001" : one.signed_rank_holm.toFixed(4).replace(/^0/, "")));
  }
  assert.equal(await page.locator("#comparison table").nth(1).locator("tbody tr").count(), adr.tests.length);
});

test("another measure can be chosen", async () => {
  await page.locator("#comparison select").selectOption("fallout");
  assert.ok((await page.locator("#comparison table.scores caption").innerText()).startsWith("fallout of every query"));
});

test("a query opens from the list, from its row and by stepping", async () => {
  const heading = page.locator("#queries h3");
  await page.selectOption("#query", { label: "query-6" });
  assert.equal(await heading.innerText(), "query-6");
  const answers = page.locator("#queries .answer");
  assert.equal(await answers.count(), 3);
  assert.match(await answers.nth(1).innerText(), /No results for this query/);
  assert.ok((await answers.nth(0).locator("tbody tr").count()) >= 8);
  assert.match(await answers.nth(0).locator(".group").first().innerText(), /group|not/);
  await page.getByRole("button", { name: "Next" }).click();
  assert.equal(await heading.innerText(), "query-7");
  await page.getByRole("button", { name: "Previous" }).press("Enter");
  assert.equal(await heading.innerText(), "query-6");
  await page.locator("#comparison table.scores a", { hasText: "query-12" }).click();
  assert.equal(await heading.innerText(), "query-12");
  await page.locator("#queries .ranks [data-document]").first().hover();
  assert.ok((await page.locator("#queries .same").count()) >= 1, "the same document is marked elsewhere");
});

test("curves are drawn, described and can be taken out", async () => {
  const figures = page.locator("#curves figure.curve");
  assert.equal(await figures.count(), 5);
  const lines = () => figures.nth(0).locator(".one-line path").count();
  assert.equal(await lines(), 3);
  await page.locator("#curves .legend label", { hasText: "beta" }).click();
  assert.equal(await lines(), 2);
  const words = await figures.nth(2).locator("svg[role='img']").getAttribute("aria-label");
  assert.match(words, /^Normalized lift, mean of each system: .*alpha: .* at /);
  await page.locator("#curves select").selectOption({ index: 1 });
  assert.equal(await figures.nth(2).locator(".one-line path").count(), kQueries + 1);
});

test("missing queries and what made the page are told", async () => {
  assert.match(await page.locator(".warnings").innerText(), /beta leaves 1 query unanswered, counted as zero: query-6/);
  const facts = await page.locator("#about").innerText();
  assert.match(facts, /rondo evaluate --truth truth\.txt 0\.run 1\.run 2\.run .*--report report\.html/);
  assert.match(facts, /Rondo \d+\.\d+\.\d+ .*Observable Plot \d+\.\d+/);
});

async function download(name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return readFileSync(await file.path(), "utf8");
}

test("data can be taken away as JSON and CSV", async () => {
  assert.equal(await download("Values (CSV)"), rondo(...kArguments, "-q", "--format", "csv"));
  assert.equal(JSON.parse(await download("All data (JSON)")).queries.length, kQueries);
  assert.equal((await download("Tests (CSV)")).trim().split("\n").length, 1 + 4 * 2);
});

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
  test(`axe finds nothing, ${colorScheme}, ${width} wide`, async () => {
    await open({ colorScheme, viewport: { width, height: 844 } });
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
    assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).slice(0, 4).join(" | ")}`), []);
  });
}

test("a phone never scrolls sideways", async () => {
  for (const width of [320, 390]) {
    await open({ viewport: { width, height: 700 }, isMobile: true, hasTouch: true });
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await page.selectOption("#query", { label: kHostileQuery });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
});

test("it prints", async () => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(background, "rgb(255, 255, 255)", "on white, whatever the screen");
  assert.equal(await page.locator("nav").isVisible(), false);
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.ok(pdf.length > 20_000);
});
