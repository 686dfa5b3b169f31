// A study as a participant meets it: joining, ranking by mouse, finger, keys and buttons, lost connections, two windows.
// Against the real server where the program knows studies. Run by ctest (label browser); RONDO_SHOTS=FOLDER keeps pictures.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertAccessible, assertQuiet, finger, launch, tab, visitor } from "./support/browser.mjs";
import { assertLooks } from "./support/pictures.mjs";
import { kSecrets, startStudies } from "./support/studies.mjs";

const folder = join(process.env.RONDO_WEB, "dist/app");
const kPath = "/study/tunes";
// Candidates come in another order for each participant, and so look otherwise each time.
const kShuffled = 0.12;

let server;
let browser;

before(async () => {
  server = await startStudies(folder);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Where things are on the page. */
const on = (page) => {
  const ranked = page.locator(".card.ranked");
  const unranked = page.locator(".card:not(.ranked)");
  return {
    ranked,
    unranked,
    codes: () => ranked.evaluateAll((all) => all.map((one) => one.dataset.code)),
    ranks: () => ranked.evaluateAll((all) => all.map((one) => one.querySelector(".rank").textContent)),
    codeOf: (card) => card.getAttribute("data-code"),
    said: () => page.locator("[data-said]").innerText(),
    state: (name) => page.locator(`.save[data-state="${name}"]`).waitFor(),
    press: (card, move) => card.locator(`[data-move="${move}"]`).click(),
  };
};

async function prepared(page) {
  await page.locator(".tick input").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("#background-title").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".queries a").first().waitFor();
}

/** Joins as a new person, answers what is asked, opens the first query. */
async function atWork(options = {}) {
  const code = await server.code();
  const who = await visitor(browser, options);
  await who.page.goto(`${server.url}${kPath}#${code}`);
  await prepared(who.page);
  await who.page.locator(".queries a").first().click();
  await who.page.locator(".card").first().waitFor();
  return { ...who, ...on(who.page), code };
}

/** What is seen has its final height: nothing moves under a pointer any more. */
const settled = (page) =>
  page.waitForFunction(
    () =>
      [...document.querySelectorAll(".card")].every((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top > innerHeight || bottom < 0 || one.querySelector(".score.engraved");
      }),
    null,
    { polling: 200 },
  );

const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2, top: y, bottom: y + height };
};

async function dragTo(page, handle, onto, part) {
  await settled(page);
  const from = await middle(handle);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 12, { steps: 3 });
  const { top, bottom } = await middle(onto);
  await page.mouse.move(from.x, top + (bottom - top) * part, { steps: 8 });
  await page.waitForTimeout(120);
}

/** Puts the first so many unranked melodies into the list. */
async function rank(who, count) {
  for (let i = 0; i < count; ++i) {
    const placed = who.ranked.nth(i);
    await who.press(who.unranked.first(), "up");
    // While pictures are being drawn the page still moves, and a press may go beside the button; a person presses again.
    await placed.waitFor({ timeout: 15_000 }).catch(() => who.press(who.unranked.first(), "up"));
    await placed.waitFor();
  }
  await who.state("saved");
}

test("the page is light without the engraver", () => {
  const html = readFileSync(join(folder, "study.html"), "utf8");
  const named = new Set([...html.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name));
  const engraving = readdirSync(join(folder, "assets")).filter((name) => name.startsWith("engraving-")).map((name) => `assets/${name}`);
  for (const name of [...named]) if (name.endsWith(".js")) for (const [, other] of readFileSync(join(folder, name), "utf8").matchAll(/["'](?:\.\/|\/assets\/)([\w-]+-[\w-]+\.js)["']/g)) if (!other.startsWith("engrave")) named.add(`assets/${other}`);
  const bytes = ["study.html", ...named, ...engraving].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
});

const kJoin = { de: "An der Studie teilnehmen", fr: "Participer à l’étude", it: "Partecipare allo studio", es: "Participar en el estudio" };

test("a participant is addressed in the browser's language, and nothing overflows on a phone", async () => {
  const code = await server.code();
  for (const [locale, title] of Object.entries(kJoin)) {
    const { page, context } = await visitor(browser, { music: false, locale, viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true });
    const fits = async (what) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, `${what} in ${locale}`);
    await page.goto(server.url + kPath);
    await page.getByRole("heading", { name: title }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), locale);
    await fits("join");
    if (locale === "de") await assertAccessible(page, "join in German");
    await page.goto("about:blank");  // else it is the same page with another fragment
    await page.goto(`${server.url}${kPath}#${code}`);
    await page.locator("#welcome-title, .queries a").first().waitFor();
    if (await page.locator(".tick input").count()) {
      await page.locator(".tick input").check();
      await fits("welcome");
      await page.locator("main button[type=submit], main button.primary").last().click();
      await page.locator("form button").last().click();
    }
    await page.locator(".queries a").first().waitFor();
    await fits("overview");
    await page.locator(".queries a").first().click();
    await page.locator(".card").first().waitFor();
    await fits("query");
    await context.close();
  }
});

test("one joins by a typed code, agrees, tells about oneself and sees the queries", async () => {
  const who = await visitor(browser, { music: false });
  const { page } = who;
  await page.goto(server.url + kPath);
  await page.locator("input.code").fill("AAAA-BBBB-CCCC-DDDD");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Unknown code").waitFor();
  await assertAccessible(page, "join");
  await page.locator("input.code").fill((await server.code()).toLowerCase().replaceAll("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("#welcome-title").waitFor();
  assert.equal(await page.locator(".card").count(), 0);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Please tick the box").waitFor();
  await assertAccessible(page, "welcome");
  await page.locator(".tick input").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Years of musical experience").fill("many");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("A number from 0 to 100").waitFor();
  await page.getByLabel("Years of musical experience").fill("12");
  await page.getByLabel("Instruments").fill("viola, voice");
  await assertAccessible(page, "background");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".queries a").nth(1).waitFor();
  assert.equal(await page.locator(".queries a").count(), 2);
  await assertAccessible(page, "overview");
  await assertLooks(page, "study-overview");
  await page.reload();
  await page.locator(".queries a").first().waitFor();
  assertQuiet(who);
  await who.context.close();
});

test("a mouse drags above the line, reorders, ties and drags out again", async () => {
  const who = await atWork();
  const { page, ranked, unranked } = who;
  const first = await who.codeOf(unranked.nth(1));
  await dragTo(page, unranked.nth(1).locator(".handle"), page.locator(".empty-list"), 0.5);
  await assertLooks(page, "study-drag", kShuffled);
  await page.mouse.up();
  await ranked.first().waitFor();
  assert.deepEqual(await who.codes(), [first]);
  await who.state("saved");
  // The card itself is a handle for the mouse, and the upper part of another means before it.
  const second = await who.codeOf(unranked.first());
  await dragTo(page, unranked.first().locator(".place"), ranked.first(), 0.1);
  await page.mouse.up();
  await ranked.nth(1).waitFor();
  assert.deepEqual(await who.codes(), [second, first]);
  // The middle of another means the same rank.
  const third = await who.codeOf(unranked.first());
  await dragTo(page, unranked.first().locator(".handle"), ranked.nth(1), 0.5);
  await page.mouse.up();
  await ranked.nth(2).waitFor();
  assert.deepEqual(await who.ranks(), ["1", "2", "="]);
  assert.deepEqual(await who.codes(), [second, first, third]);
  // Escape leaves everything as it was.
  await dragTo(page, ranked.first().locator(".handle"), unranked.first(), 0.5);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.deepEqual(await who.codes(), [second, first, third]);
  await dragTo(page, ranked.first().locator(".handle"), unranked.first(), 0.5);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll(".card.ranked").length === 2);
  await who.state("saved");
  await page.reload();
  await ranked.nth(1).waitFor();
  assert.deepEqual(await who.codes(), [first, third]);
  assertQuiet(who);
  await who.context.close();
});

test("near the edge the page scrolls, so the last can be dragged to the top", async () => {
  const who = await atWork({ viewport: { width: 1000, height: 560 } });
  const { page, ranked, unranked } = who;
  await rank(who, 2);
  const last = await who.codeOf(unranked.last());
  await unranked.last().scrollIntoViewIfNeeded();
  await settled(page);
  const from = await middle(unranked.last().locator(".handle"));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const pinned = await middle(page.locator(".pinned-query"));
  await page.mouse.move(from.x, pinned.bottom + 4, { steps: 6 });
  await page.waitForFunction(() => document.querySelector(".board .list-title").getBoundingClientRect().top >= document.querySelector(".pinned-query").getBoundingClientRect().bottom - 8);
  await page.mouse.move(from.x, (await middle(ranked.first())).top + 6, { steps: 2 });
  await page.waitForTimeout(150);
  await page.mouse.up();
  await ranked.nth(2).waitFor();
  assert.equal((await who.codes())[0], last);
  await who.context.close();
});

test("a finger drags by the handle and scrolls elsewhere", async () => {
  const who = await atWork({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const { page, ranked, unranked } = who;
  await settled(page);
  await assertLooks(page, "study-phone", kShuffled);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const touch = await finger(page);
  const code = await who.codeOf(unranked.first());
  await unranked.first().locator(".handle").evaluate((one) => window.scrollBy(0, one.getBoundingClientRect().bottom - window.innerHeight + 140));
  const from = await middle(unranked.first().locator(".handle"));
  const goal = await middle(page.locator(".empty-list"));
  await touch.down(from.x, from.y);
  for (let part = 0.1; part <= 1; part += 0.15) await touch.move(from.x, from.y + (goal.y - from.y) * part);
  await touch.move(from.x, (await middle(page.locator(".empty-list"))).y);
  await page.waitForTimeout(150);
  await touch.up();
  await ranked.first().waitFor();
  assert.deepEqual(await who.codes(), [code]);
  await who.state("saved");
  assertQuiet(who);
  await who.context.close();
});

test("keys alone are enough, the focus follows, and every move is announced", async () => {
  const who = await atWork({ music: false });
  const { page, ranked, unranked } = who;
  const codes = await unranked.evaluateAll((all) => all.map((one) => one.dataset.code));
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-code]")?.dataset.code);
  // The Tab key comes to the first card once, past what is fixed at the top.
  for (let i = 0; i < 14 && !(await focused()); ++i) await page.keyboard.press("Tab");
  assert.equal(await focused(), codes[0]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), codes[1]);
  await page.keyboard.press("Alt+ArrowUp");
  await ranked.first().waitFor();
  assert.equal(await focused(), codes[1]);
  assert.match(await who.said(), /Melody 2: 1st of 1/);
  await page.keyboard.press("n");
  assert.equal(await focused(), codes[2]);
  await page.keyboard.press("Alt+Home");
  assert.match(await who.said(), /Melody 3: 1st of 2/);
  assert.deepEqual(await who.codes(), [codes[2], codes[1]]);
  // On its handle the arrows alone move.
  await ranked.first().locator(".handle").focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await who.codes(), [codes[1], codes[2]]);
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("handle")), true);
  await page.keyboard.press("t");
  assert.deepEqual(await who.ranks(), ["1", "="]);
  assert.match(await who.said(), /shares rank 1 with 1 other/);
  await page.keyboard.press("t");
  await page.keyboard.press("Delete");
  assert.match(await who.said(), /Melody 3: not ranked/);
  assert.deepEqual(await who.codes(), [codes[1]]);
  // Nothing that has the focus hides behind the query.
  const hidden = await page.evaluate(() => document.activeElement.getBoundingClientRect().top < document.querySelector(".pinned-query").getBoundingClientRect().bottom);
  assert.equal(hidden, false);
  await who.state("saved");
  await page.keyboard.press("p");
  await page.locator(".play.on").waitFor();
  await page.keyboard.press("q");
  await page.locator(".stand .play.on").waitFor();
  assertQuiet(who);
  await who.context.close();
});

test("buttons move, and axe finds nothing on a query", async () => {
  const who = await atWork();
  const { page, ranked } = who;
  await rank(who, 3);
  const [a, b, c] = await who.codes();
  await who.press(ranked.nth(2), "up");
  assert.deepEqual(await who.codes(), [a, c, b]);
  await who.press(ranked.nth(2), "top");
  assert.deepEqual(await who.codes(), [b, a, c]);
  await who.press(ranked.nth(1), "tie");
  assert.deepEqual(await who.ranks(), ["1", "=", "3"]);
  await who.press(ranked.nth(2), "out");
  assert.deepEqual(await who.codes(), [b, a]);
  await who.state("saved");
  await page.locator(".card .score.engraved").first().waitFor();
  await page.locator(".keys-help").evaluate((one) => (one.open = true));
  await assertAccessible(page, "query");
  await assertLooks(page, "study-query", kShuffled);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertAccessible(page, "query on a phone");
  await who.context.close();
});

test("work goes on on another device with the same code", async () => {
  const who = await atWork({ music: false });
  await rank(who, 2);
  const codes = await who.codes();
  const order = await who.page.locator(".card").evaluateAll((all) => all.map((one) => one.dataset.code));
  const other = await visitor(browser);
  await other.page.goto(`${server.url}${kPath}#${who.code}`);
  await other.page.locator(".queries a").first().click();
  await other.page.locator(".card.ranked").nth(1).waitFor();
  assert.deepEqual(await on(other.page).codes(), codes);
  assert.deepEqual(await other.page.locator(".card").evaluateAll((all) => all.map((one) => one.dataset.code)), order, "the same random order");
  assert.ok(!other.page.url().includes(who.code), "the code does not stay in the address");
  assertQuiet(other);
  await who.context.close();
  await other.context.close();
});

test("without a connection moves are kept, also through a reload, and sent when it is back", async () => {
  const who = await atWork();
  const { page, ranked, unranked } = who;
  const saves = [];
  await page.route("**/ranking", (route) => {
    saves.push(JSON.parse(route.request().postData()).save);
    return route.abort();
  });
  await who.press(unranked.first(), "up");
  await who.state("offline");
  await page.getByText("kept in this browser").waitFor();
  await who.press(unranked.first(), "up");
  const codes = await who.codes();
  assert.equal(codes.length, 2);
  await settled(page);
  await assertAccessible(page, "offline");
  await assertLooks(page, "study-offline", kShuffled);
  await page.reload();
  await ranked.nth(1).waitFor();
  assert.deepEqual(await who.codes(), codes);
  await who.state("offline");
  assert.equal(new Set(saves).size, 1, "one save, tried again under its own name");
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 1);
  await page.unroute("**/ranking");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await who.state("saved");
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await ranked.nth(1).waitFor();
  assert.deepEqual(await who.codes(), codes);
  assertQuiet(who);
  await who.context.close();
});

test("an answer that gets lost makes no conflict with oneself", async () => {
  const who = await atWork({ music: false });
  const { page, unranked } = who;
  let lost = 0;
  await page.route("**/ranking", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await who.press(unranked.first(), "up");
  await who.state("offline");
  await who.press(unranked.first(), "up");
  await who.state("saved");
  assert.equal(await page.locator("dialog.conflict").count(), 0);
  assert.ok(lost >= 3);
  await who.context.close();
});

test("of two windows neither writes over the other: the person chooses", async () => {
  const who = await atWork();
  const { page } = who;
  await rank(who, 1);
  const other = await tab(who.context);
  await other.page.goto(page.url());
  await other.page.locator(".card.ranked").first().waitFor();
  const there = on(other.page);
  await there.press(there.unranked.first(), "top");
  await there.state("saved");
  const theirs = await there.codes();
  await page.bringToFront();
  await who.press(who.unranked.last(), "top");
  await page.locator("dialog.conflict").waitFor();
  assert.equal(await page.locator(".versions section").count(), 2);
  assert.ok((await page.locator(".versions .differs").count()) > 0);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog.conflict").isVisible(), true, "there is no way past it");
  await assertAccessible(page, "conflict");
  await assertLooks(page, "study-conflict", kShuffled);
  const mine = await who.codes();
  await page.getByRole("button", { name: "Keep the other one" }).click();
  assert.deepEqual(await who.codes(), theirs);
  await who.state("saved");
  // And the other way round.
  await who.press(who.ranked.last(), "top");
  await who.state("saved");
  await there.press(there.unranked.first(), "top");
  await other.page.getByRole("button", { name: "Keep this page's" }).click();
  await there.state("saved");
  const kept = await there.codes();
  await page.reload();
  await who.ranked.first().waitFor();
  assert.deepEqual(await who.codes(), kept);
  assert.notDeepEqual(mine, theirs);
  assertQuiet(who);
  assertQuiet(other);
  await who.context.close();
});

test("a full disk, a lost session and a closed study are said in plain words", async () => {
  const who = await atWork({ music: false });
  const { page, unranked } = who;
  const answer = (status, code) => page.route("**/ranking", (route) => route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify({ status, code, title: code, detail: code }) }));
  await answer(507, "disk-full");
  await who.press(unranked.first(), "up");
  await page.getByText("disk is full").waitFor();
  await page.unroute("**/ranking");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await who.state("saved");
  await answer(401, "join-needed");
  await who.press(unranked.first(), "up");
  await page.getByText("no longer signed in").waitFor();
  const codes = await who.codes();
  await page.unroute("**/ranking");
  await page.getByRole("button", { name: "Enter the code" }).click();
  await page.locator("input.code").fill(who.code);
  await page.getByRole("button", { name: "Continue" }).click();
  await who.ranked.nth(1).waitFor();
  await who.state("saved");
  assert.deepEqual(await who.codes(), codes);
  await answer(403, "study-closed");
  await who.press(unranked.first(), "up");
  await page.getByText("The study was closed").waitFor();
  assert.equal(await page.locator(".moves").count(), 0);
  assertQuiet(who);
  await who.context.close();
});

test("finishing every query ends with thanks; stopping shows the way back", async () => {
  const who = await atWork({ music: false });
  const { page } = who;
  await rank(who, 1);
  await page.getByRole("button", { name: "Finish this query" }).click();
  await page.getByRole("heading", { name: "Query 2 of 2" }).waitFor();
  await page.getByRole("button", { name: "Finish this query" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  await assertAccessible(page, "finished");
  await page.getByRole("button", { name: "Stop for now" }).click();
  await page.getByText(who.code, { exact: true }).waitFor();
  await assertAccessible(page, "left");
  await assertLooks(page, "study-left");
  await page.getByRole("button", { name: "Go on now" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.getByRole("button", { name: "Stop for now" }).click();
  await page.getByText(who.code, { exact: true }).waitFor();
  await page.reload();
  await page.locator("input.code").fill(who.code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertQuiet(who);
  await who.context.close();
});

test("nothing that a catalogue knows reaches a participant", async () => {
  const code = await server.code();
  const who = await visitor(browser);
  const bodies = [];
  who.page.on("response", async (response) => {
    if (/\/api\/|\.html|study\/tunes/.test(response.url())) bodies.push(await response.text().catch(() => ""));
  });
  await who.page.goto(`${server.url}${kPath}#${code}`);
  await prepared(who.page);
  await who.page.locator(".queries a").first().click();
  await who.page.locator(".card .score.engraved").first().waitFor();
  await on(who.page).press(on(who.page).unranked.first(), "up");
  await on(who.page).state("saved");
  bodies.push(await who.page.content());
  assert.ok(bodies.length > 4);
  for (const secret of kSecrets) assert.ok(!bodies.some((text) => text.includes(secret)), secret);
  await who.context.close();
});
