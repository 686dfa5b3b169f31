// The search page as a person meets it, in a browser, served by the program itself. RONDO_SERVER_URL names another server,
// with other melodies: tests that know the melodies are then left out. RONDO_SERVER_URL=mock asks for the stand-in, which
// shows pages that are being written without a build of the program.
// Run by ctest (label browser) as: node --test app.test.mjs, with RONDO_WEB set. RONDO_SHOTS=FOLDER keeps pictures.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { kHostileTitle } from "./mock/melodies.mjs";
import { startMock } from "./mock/server.mjs";
import { launch, visitor, web } from "./support/browser.mjs";
import { assertLooks, difference } from "./support/pictures.mjs";
import { startCollection } from "./support/program.mjs";

const axe = readFileSync(web.resolve("axe-core/axe.min.js"), "utf8");
const folder = join(process.env.RONDO_WEB, "dist/app");
const shots = process.env.RONDO_SHOTS;

const kJoy = "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/";
const address = (parameters) => `/?${new URLSearchParams(parameters)}`;

let server;
let poor; // A server without features and funnel.
let browser;
let who;
let page;

const elsewhere = process.env.RONDO_SERVER_URL;
const mock = elsewhere === "mock";
const knowing = elsewhere && !mock ? { skip: "knows the melodies" } : {};

before(async () => {
  if (mock) server = await startMock({ folder });
  else server = elsewhere ? { url: elsewhere.replace(/\/$/, ""), close() {} } : await startCollection();
  poor = await startMock({ folder, extras: false });
  browser = await launch();
  if (shots) mkdirSync(shots, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
  poor?.close();
});

async function open(path = "/", options = {}, at = server.url) {
  await who?.context.close();
  who = await visitor(browser, { viewport: { width: 1280, height: 900 }, ...options });
  page = who.page;
  await page.goto(at + path);
}
/** The same for tests that do not look at notes. */
const openWithoutMusic = (path, options = {}) => open(path, { music: false, ...options });

afterEach(async (context) => {
  if (!who) return;
  if (shots) await page.screenshot({ path: join(shots, `${context.name.replace(/\W+/g, "-")}.png`) });
  const { problems, requests } = who;
  // A melody that cannot be read is answered with 422, which a browser writes down by itself.
  const own = problems.splice(0).filter((text) => !/status of (422|404)|net::ERR_FAILED/.test(text));
  assert.deepEqual(own, [], "the console stays empty");
  const other = requests.splice(0).filter((url) => !["127.0.0.1", "localhost", new URL(server.url).hostname].includes(new URL(url).hostname) && !/^(blob|data):/.test(url));
  assert.deepEqual(other, [], "no other host is asked for anything");
});

const box = () => page.locator("#melody");
const hits = () => page.locator(".results .hit");
/** Waits for the first picture there; only what is near the screen is engraved. */
async function engraved(where) {
  await page.locator(`${where} .score`).first().scrollIntoViewIfNeeded();
  await page.locator(`${where} .score.engraved svg`).first().waitFor();
}
const openSystems = () => page.locator(".systems > summary").click();
const focusPiano = () => page.locator('.keys [tabindex="0"]').focus();
const parameter = (name) => new URL(page.url()).searchParams.get(name);
const classes = (where) => page.locator(`${where} .score`).first().locator("g.note").evaluateAll((all) => all.map((one) => one.getAttribute("class")));

test("the page is light and the engraver is a file of its own", () => {
  const files = readdirSync(join(folder, "assets"));
  const engravers = files.filter((name) => name.startsWith("engraver-"));
  assert.equal(engravers.length, 1);
  const rest = [join(folder, "index.html"), ...files.filter((name) => !engravers.includes(name)).map((name) => join(folder, "assets", name))];
  const bytes = rest.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
  assert.deepEqual(readFileSync(join(folder, "assets", engravers[0])), readFileSync(join(process.env.RONDO_WEB, "node_modules/verovio/dist/verovio-module.mjs")), "exactly as it came");
});

test("typing writes the address, engraves the music and finds", async () => {
  await open();
  await box().pressSequentially("'4FFGA/AGFE/", { delay: 15 });
  await hits().first().waitFor();
  assert.equal(parameter("q"), "'4FFGA/AGFE/");
  await engraved(".stand");
  assert.equal((await classes(".stand")).length, 8);
  assert.match(await page.locator(".results .facts").innerText(), /compared in [\d.,]+ ms/);
  await engraved(".hit");
});

test("each key asks once, and the list stays until the next one is there", knowing, async () => {
  await openWithoutMusic();
  await box().fill("'4FFGA/");
  await hits().first().waitFor();
  await page.evaluate(() => {
    window.empty = 0;
    new MutationObserver(() => (window.empty += document.querySelector(".results .hit") ? 0 : 1)).observe(document.querySelector("#app"), { subtree: true, childList: true });
  });
  const searches = () => who.requests.filter((url) => url.includes("/search?")).length;
  let before = searches();
  for (const letter of ["A", "G", "F", "E", "D"]) {
    await box().press("End");
    await box().press(`Shift+${letter}`);
    await page.waitForFunction((q) => new URLSearchParams(location.search).get("q") === q && document.querySelector('.results[aria-busy="false"] .hit'), await box().inputValue());
    assert.equal(searches(), ++before, letter);
  }
  assert.equal(await page.evaluate(() => window.empty), 0, "nothing flickers");
});

test("the piano writes Plaine & Easie by mouse and by the computer's keys", async () => {
  await openWithoutMusic();
  await page.getByRole("button", { name: "C4", exact: true }).click();
  await page.locator(".lengths label").nth(3).click();
  await page.getByRole("button", { name: "F♯4", exact: true }).click();
  assert.equal(await box().inputValue(), "'4C8xF");
  await focusPiano();
  // The C sharp holds for every octave of its bar, so the C above it needs a natural.
  for (const key of ["3", "a", "w", ".", "k", "/", ",", "Backspace"]) await page.keyboard.press(key);
  assert.equal(await box().inputValue(), "'4C8xF4CxC''4.nC/");
  await page.getByRole("button", { name: "Delete the last sign" }).click();
  assert.equal(await box().inputValue(), "'4C8xF4CxC''4.nC");
  await page.keyboard.press("Control+z");
  assert.equal(await box().inputValue(), "'4C8xF4CxC''4.nC/");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await box().inputValue(), "'4C8xF4CxC''4.nC");
});

test("the piano can be walked with the arrow keys and played with Enter", async () => {
  await openWithoutMusic();
  await focusPiano();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await box().inputValue(), ",4D");
});

test("touch plays each key once", async () => {
  await openWithoutMusic("/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "E4", exact: true }).tap();
  await page.getByRole("button", { name: "G4", exact: true }).tap();
  assert.equal(await box().inputValue(), "'4EG");
});

test("a MIDI keyboard plays once it is asked for", async () => {
  await openWithoutMusic();
  await page.evaluate(() => {
    window.input = { onmidimessage: null };
    navigator.requestMIDIAccess = async () => ({ inputs: new Map([["one", window.input]]), onstatechange: null });
  });
  await page.getByRole("button", { name: "MIDI keyboard" }).click();
  await page.getByText("1 MIDI keyboard listening").waitFor();
  const play = (messages) => page.evaluate((all) => all.forEach(([timeStamp, ...data]) => window.input.onmidimessage({ data: new Uint8Array(data), timeStamp })), messages);
  await play([[1000, 0x90, 67, 80], [1450, 0x80, 67, 0], [1500, 0x90, 69, 80], [1980, 0x90, 69, 0], [2000, 0x91, 71, 80], [2990, 0x81, 71, 0], [3000, 0x90, 67, 80], [3240, 0x80, 67, 0]]);
  // A rhythm is recorded: two quarters, a half and an eighth.
  await page.waitForFunction(() => document.querySelector("#melody").value === "'4GA2B8G");
  assert.equal(await page.locator(".take-tempo input").inputValue(), "120");
});

test("clef, key and time go into the line, and the piano follows the key", async () => {
  await openWithoutMusic();
  await page.getByLabel("Clef").selectOption("G-2");
  await page.getByLabel("Key signature").selectOption("xFC");
  await page.locator(".under select").nth(2).selectOption("3/4");
  assert.equal(await box().inputValue(), "%G-2$xFC@3/4 ");
  await page.getByRole("button", { name: "F♯4", exact: true }).click();
  assert.equal(await box().inputValue(), "%G-2$xFC@3/4 '4F");
});

test("a mistake is explained at its place and never breaks anything", knowing, async () => {
  await openWithoutMusic(address({ q: "%G-2 hello?!" }));
  const place = page.locator("button.place");
  await place.waitFor();
  assert.equal(await box().getAttribute("aria-invalid"), "true");
  const column = Number(/^Column (\d+)$/.exec(await place.innerText())?.[1]);
  await place.click();
  assert.equal(await box().evaluate((area) => area.selectionStart), column - 1);
  await box().fill("'4FFGA/AGFE/");
  await hits().first().waitFor();
  assert.equal(await place.count(), 0);
});

test("what is odd but can be read is remarked upon at its place", async () => {
  await openWithoutMusic();
  if (mock) {
    await page.route("**/api/v1/query?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), warnings: [{ code: "pae-odd", message: "this sign was left out", column: 3 }] } });
    });
  }
  await box().fill(mock ? "'4FFGA/" : "'4FFGA/AGZE/");
  await page.locator(".box.odd .place").waitFor();
  assert.equal(await box().getAttribute("aria-invalid"), null);
  if (!mock) {
    assert.equal(await page.locator(".box.odd .place").innerText(), "Column 10");
    assert.equal(await page.locator(".behind mark").innerText(), "Z");
  }
  await hits().first().waitFor();
});

test("a file is opened, and one that cannot be read is explained", async () => {
  await openWithoutMusic();
  const upload = page.locator('input[type="file"]');
  await upload.setInputFiles({ name: "tune.pae", mimeType: "text/plain", buffer: Buffer.from("%G-2@2/4 '4CC/GG/AA/2G/\n") });
  await hits().first().waitFor();
  assert.match(parameter("q"), /CC\/GG\/AA\/2G/);
  await upload.setInputFiles({ name: "bad.bin", mimeType: "application/octet-stream", buffer: Buffer.from("\u0001\u0002?§") });
  await page.getByText("This file could not be read").waitFor();
});

test("pasted ABC is read as such and can be written as Plaine & Easie", async () => {
  await openWithoutMusic();
  await box().fill("X:1\nL:1/4\nK:C\nCC|GG|AA|G");
  await page.getByText(/Read as ABC because .*: 7 notes/).waitFor();
  assert.ok(await page.getByLabel("Clef").isDisabled());
  await page.getByRole("button", { name: "Write it as Plaine & Easie" }).click();
  await page.getByText(/Read as Plaine & Easie: 7 notes/).waitFor();
});

test("matching notes have their colour in query and hit, a tied note in both its parts", knowing, async () => {
  await open(address({ q: "%G-2$xF@3/4 '4G8A{BA}" }));
  await page.locator('.hit[data-id="grace-1"]').scrollIntoViewIfNeeded();
  await engraved('.hit[data-id="grace-1"]');
  // A grace note, G tied to G, A, B, A, a triplet G F E, G: matched are the first G (twice on paper), A, B and A.
  const marks = await classes('.hit[data-id="grace-1"]');
  assert.equal(marks.length, 10);
  assert.notEqual(marks[0], "note match", "ornaments are not listened to unless asked for");
  assert.equal(marks[1], marks[2], "tied notes go together");
  assert.ok(marks.includes("note match") && marks.includes("note other"));
  await page.locator('.hit[data-id="grace-1"]').hover();
  assert.ok((await classes(".stand")).some((one) => one.includes("match")));
});

test("a melody plays with a cursor that moves, one at a time", async () => {
  await open(address({ q: kJoy }));
  await engraved(".hit");
  const card = hits().first();
  await card.locator(".play").click();
  await card.locator(".cursor:not([hidden])").waitFor();
  const at = () => card.locator(".cursor").evaluate((cursor) => cursor.style.transform);
  const first = await at();
  await page.waitForFunction((before) => document.querySelector(".hit .cursor").style.transform !== before, first);
  assert.ok((await card.locator("g.sounding").count()) >= 1);
  await page.locator(".stand .play").click();
  await card.locator(".cursor").waitFor({ state: "hidden" });
  assert.equal(await page.locator(".play.on").count(), 1);
  await page.locator(".stand .play").click();
  assert.equal(await page.locator(".play.on").count(), 0);
});

test("back and forward go through searches", async () => {
  await openWithoutMusic(address({ q: kJoy }));
  await hits().first().waitFor();
  const title = await hits().first().locator("h3 a").innerText();
  await hits().first().getByRole("button", { name: /Find similar/ }).click();
  await page.getByText(`Melodies similar to ${title}`, { exact: false }).waitFor();
  assert.ok(parameter("id"));
  await openSystems();
  await page.locator("#system").selectOption({ index: 1 });
  await page.goBack();
  await page.goBack();
  await page.waitForFunction((q) => document.querySelector("#melody")?.value === q, kJoy);
  await page.goForward();
  await page.getByText("Melodies similar to").waitFor();
  await page.getByRole("button", { name: "Edit as a new query" }).click();
  await box().waitFor();
  assert.notEqual(await box().inputValue(), "");
});

test("the same address asks the API for the same list", async () => {
  await openWithoutMusic(address({ q: kJoy }));
  await hits().first().waitFor();
  // A list that is drawn again just now closes it.
  while ((await page.locator(".exports[open]").count()) === 0) {
    await page.getByText("Export", { exact: true }).click();
    await page.waitForTimeout(100);
  }
  for (const name of ["CSV", "JSON", "TREC run"]) {
    const link = page.locator(".exports p").first().getByRole("link", { name, exact: true });
    const answer = await page.request.get(server.url + (await link.getAttribute("href")));
    assert.equal(answer.status(), 200);
    assert.ok((await answer.text()).includes(await hits().first().getAttribute("data-id")));
  }
});

test("switches, weights, words and facets refine, in the address", knowing, async () => {
  await openWithoutMusic(address({ q: kJoy }));
  await hits().first().waitFor();
  await page.getByLabel("Only from the beginning").check();
  await openSystems();
  await page.locator("#system").selectOption("spline");
  await page.locator(".about-system", { hasText: "curve" }).waitFor();
  await page.locator(".weights summary").click();
  await page.locator(".weights input").last().fill("1.5");
  const all = await hits().count();
  await page.locator(".facet label", { hasText: "Carl Example" }).click();
  await page.waitForFunction((before) => document.querySelectorAll(".results .hit").length < before, all);
  await page.locator('.hit[data-id="joy-3"]').waitFor();
  assert.equal(await page.locator('.hit[data-id="joy-1"]').count(), 0, "not by that composer");
  assert.deepEqual([parameter("anchored"), parameter("system"), parameter("set"), parameter("composer")], ["1", "spline", "time:1.5", "Carl Example"]);
  await page.locator("#words").fill("variation eighths");
  await page.waitForFunction(() => document.querySelectorAll(".results .hit").length === 1);
  await page.getByRole("button", { name: "Clear 1 filter" }).click();
  assert.equal(parameter("composer"), null);
  await page.locator("#words").fill("nothing has this");
  await page.getByText("Nothing found").waitFor();
});

test("two and three systems stand side by side", async () => {
  await openWithoutMusic(address({ q: kJoy }));
  await hits().first().waitFor();
  await openSystems();
  await page.locator("#beside").selectOption({ index: 1 });
  await page.locator(".columns.of-2 .hit").first().waitFor();
  await page.locator("#beside").selectOption({ index: 1 });
  await page.locator(".columns.of-3 .hit").first().waitFor();
  await page.locator(".columns section:nth-child(3) .hit").first().waitFor();
  assert.match(await page.locator(".comparison .bar").innerText(), /\d+ of \d+ in every list/);
  assert.equal(new URL(page.url()).searchParams.getAll("beside").length, 2);
  await page.locator(".columns .hit").first().hover();
  assert.ok((await page.locator(".columns .same").count()) >= 1);
  await page.getByRole("button", { name: "Back to one list" }).click();
  await hits().first().waitFor();
});

test("the next match is a key or a click away, and the query stays in sight", async () => {
  await open(address({ q: kJoy }), { viewport: { width: 1280, height: 600 } });
  await hits().nth(4).waitFor();
  const next = page.getByRole("button", { name: "Next match" });
  for (let i = 0; i < 4; ++i) await next.click();
  const focused = () => page.evaluate(() => [...document.querySelectorAll(".hit")].indexOf(document.activeElement));
  assert.equal(await focused(), 3);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), 4);
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), 3);
  await page.locator(".pinned").waitFor();
});

async function download(act) {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFileSync(await file.path());
}

test("details have everything to take away", async () => {
  await open(address({ q: kJoy }));
  await hits().first().locator("h3 a").click();
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  await engraved("dialog");
  for (const name of ["PAE", "MEI", "MIDI", "ABC", "kern"]) {
    const link = dialog.getByRole("link", { name, exact: true });
    assert.equal((await page.request.get(server.url + (await link.getAttribute("href")))).status(), 200, name);
  }
  const svg = (await download(() => dialog.getByRole("button", { name: "SVG" }).click())).toString();
  assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  const png = await download(() => dialog.getByRole("button", { name: "PNG" }).click());
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 3000, "something is drawn on it");
  await dialog.getByText("As a table").click();
  await dialog.locator(".alignment tbody tr").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.waitForURL((url) => !url.searchParams.has("show"));
});

test("an identifier is copied, and a link to a melody is stable", knowing, async () => {
  await openWithoutMusic("/?show=joy-2", { permissions: ["clipboard-read", "clipboard-write"] });
  const dialog = page.locator("dialog[open]");
  await dialog.getByRole("button", { name: "Copy Identifier" }).click();
  const copied = (text) => page.waitForFunction(async (wanted) => (await navigator.clipboard.readText()) === wanted, text);
  await copied("joy-2");
  await dialog.getByRole("button", { name: "Citation", exact: false }).click();
  await copied(`Anonymous, Hymn for the Opening of a Bridge, 1851, GB-Lbl Add. MS 31415 [joy-2]. ${server.url}/?show=joy-2`);
});

test("features and funnel are drawn where the server has them", knowing, async () => {
  await openWithoutMusic("/?show=joy-1");
  await page.locator("dialog .features .contour").waitFor();
  assert.ok((await page.locator(".histogram tr").count()) >= 3);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Funnel" }).click();
  await page.getByRole("button", { name: "Count" }).click();
  await page.locator(".funnel-bars li").nth(2).waitFor();
  assert.equal(parameter("view"), "funnel");
});

test("and are nowhere to be seen where it has not", async () => {
  await open("/?show=joy-1", {}, poor.url);
  await engraved("dialog");
  assert.equal(await page.locator(".features").count(), 0);
  assert.equal(await page.getByRole("link", { name: "Funnel" }).count(), 0);
  assert.deepEqual(who.problems, []);
});

test("hostile titles are shown as they are and do nothing", knowing, async () => {
  await openWithoutMusic(address({ q: kJoy }));
  await hits().first().waitFor();
  assert.equal(await page.locator('.hit[data-id="maman-2"] h3 a').innerText(), kHostileTitle);
  assert.equal(await page.evaluate(() => window.caught), undefined);
});

/** Until nothing on the screen is still being engraved. */
const settled = () =>
  page.waitForFunction(() =>
    [...document.querySelectorAll(".score")].every((one) => {
      const { top, bottom, width } = one.getBoundingClientRect();
      return width === 0 || bottom < 0 || top > window.innerHeight || one.classList.contains("engraved") || one.querySelector("svg");
    }),
  );
/** Until the engraver has had nothing to do for a while. */
const idle = () =>
  page.waitForFunction(
    () => {
      const staves = document.querySelectorAll(".paper svg").length;
      window.still = staves === window.staves ? (window.still ?? 0) + 1 : 0;
      window.staves = staves;
      return window.still >= 3;
    },
    null,
    { polling: 150 },
  );

test("one worker engraves, and only what is near the screen", knowing, async () => {
  await open(address({ q: kJoy }), { viewport: { width: 1280, height: 500 } });
  await engraved(".hit");
  assert.equal(page.workers().length, 1);
  await settled();
  await idle();
  const last = await hits().last().getAttribute("data-id");
  assert.equal(await page.locator(`.hit[data-id="${last}"] .paper svg`).count(), 0, "the last is not engraved yet");
  await hits().last().scrollIntoViewIfNeeded();
  await engraved(`.hit[data-id="${last}"]`);
  assert.equal(page.workers().length, 1);
});

const kPlaces = { start: "/", results: address({ q: kJoy }), mistake: address({ q: "'4FFZ" }), comparison: address({ q: kJoy, system: "shapeh", beside: "time" }), details: address({ q: kJoy, show: "joy-2" }), funnel: address({ view: "funnel", steps: "step: a\nkeep: notes > 3" }), nothing: address({ q: kJoy, text: "nothing has this" }), saved: address({ view: "saved" }), api: address({ view: "api" }) };

const kWithoutNotes = ["start", "funnel", "saved", "api"];

for (const [name, path] of Object.entries(kPlaces)) {
  test(`looks as it did, and axe finds nothing, light and wide, dark and narrow: ${name}`, knowing, async () => {
    await open(path, { viewport: { width: 1280, height: 844 }, music: !kWithoutNotes.includes(name) });
    const drawn = { start: ".examples", mistake: "button.place", details: "dialog .score svg", funnel: ".funnel form", nothing: ".nothing", saved: ".saved h1", api: ".operation" }[name] ?? ".hit .score svg";
    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await page.locator(drawn).first().waitFor();
      // What the heading shows comes from the server, too.
      await page.locator(".collection").waitFor();
      await page.locator(".top nav a", { hasText: "Funnel" }).waitFor();
      await settled();
      await assertLooks(page, `app-${name}-${width}`);
      const closed = await page.evaluateHandle(() => [...document.querySelectorAll("details:not([open])")].map((one) => ((one.open = true), one)));
      if (width === 1280) await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
      assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).slice(0, 4).join(" | ")}`), [], `${colorScheme}, ${width} wide`);
      await closed.evaluate((all) => all.forEach((one) => (one.open = false)));
    }
  });
}

test("a page without its style would be noticed", process.env.RONDO_PICTURES === "write" ? { skip: "nothing is compared" } : knowing, async () => {
  await open(kPlaces.results, { viewport: { width: 1280, height: 844 } });
  await engraved(".hit");
  await page.evaluate(() => document.querySelectorAll('link[rel="stylesheet"], style').forEach((one) => one.remove()));
  await assert.rejects(assertLooks(page, "app-results-1280"), /looks different/);
});

test("a square's width is forgiven, a missing part is not", () => {
  const blank = "0".repeat(30);
  const with_part = (at) => Array.from({ length: 20 }, (_, y) => (y >= 5 && y < 12 ? `${"0".repeat(at)}${"7".repeat(10)}${"0".repeat(20 - at)}` : blank));
  assert.equal(difference(with_part(4), with_part(4)), 0);
  assert.equal(difference(with_part(4), with_part(5)), 0);
  assert.ok(difference(with_part(4), with_part(9)) > 0.05);
  assert.ok(difference(with_part(4), Array(20).fill(blank)) > 0.05);
  assert.equal(difference(with_part(4), with_part(4).slice(1)), 1, "another size");
});

test("a phone never scrolls sideways", async () => {
  for (const path of [kPlaces.start, kPlaces.results, kPlaces.comparison]) {
    await open(path, { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true });
    await page.locator(path === "/" ? ".examples" : ".hit").first().waitFor();
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${path} at ${width}`);
    }
  }
});

test("it prints on white, without controls", async () => {
  await open(address({ q: kJoy }));
  await engraved(".hit");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  for (const gone of [".refine", ".ways", ".play", ".actions"]) assert.equal(await page.locator(gone).first().isVisible(), false, gone);
  assert.equal((await page.pdf({ format: "A4" })).subarray(0, 5).toString(), "%PDF-");
});
