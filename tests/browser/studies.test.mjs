// Studies as the researcher meets them: log in, make one, invite, watch, close, read the truth. Against the real server
// where the program knows studies. Run by ctest (label browser); RONDO_SHOTS=FOLDER keeps pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible, assertQuiet, launch, visitor } from "./support/browser.mjs";
import { assertLooks } from "./support/pictures.mjs";
import { startStudies } from "./support/studies.mjs";

const folder = join(process.env.RONDO_WEB, "dist/app");

let server;
let browser;
let who;
let page;

before(async () => {
  server = await startStudies(folder);
  browser = await launch();
  who = await visitor(browser, { acceptDownloads: true });
  page = who.page;
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("only the token opens the pages", async () => {
  await page.goto(`${server.url}/studies`);
  await page.getByLabel("Token").fill("not the token");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("not the researcher's token").waitFor();
  await assertAccessible(page, "login");
  await page.getByLabel("Token").fill(server.token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: "Which tunes resemble each other?" }).waitFor();
  await assertAccessible(page, "list");
  await assertLooks(page, "studies-list");
});

test("the researcher's pages speak five languages and fit a phone in each", async () => {
  const titles = { de: "Studien", fr: "Études", it: "Studi", es: "Estudios" };
  const visit = await visitor(browser, { viewport: { width: 320, height: 700 } });
  const own = visit.page;
  await own.goto(`${server.url}/studies`);
  for (const [locale, title] of Object.entries(titles)) {
    await own.locator("#language").selectOption(locale);
    await own.getByRole("heading", { name: title }).first().waitFor();
    assert.equal(await own.locator("html").getAttribute("lang"), locale);
    assert.equal(await own.evaluate(() => document.documentElement.scrollWidth), 320, `log in, ${locale}`);
  }
  await own.getByLabel("Token").fill(server.token);
  await own.getByRole("button", { name: "Entrar" }).click();
  await own.getByRole("link", { name: "Which tunes resemble each other?" }).waitFor();
  assert.equal(await own.evaluate(() => document.documentElement.scrollWidth), 320, "list in Spanish");
  await assertAccessible(own, "list in Spanish");
  await visit.context.close();
});

test("candidates are picked by keyboard and mouse, saved as one goes, and can be undone", async () => {
  if (server.kind !== "real") return;
  await page.getByRole("link", { name: "joy", exact: true }).click();
  const cards = page.locator(".proposed");
  await cards.first().locator("svg g.note").first().waitFor();
  const total = await cards.count();
  const counts = page.locator("[data-counts]");
  assert.equal(await counts.innerText(), `0 kept, 0 dropped, ${total} undecided`);
  assert.match(await cards.first().locator(".why").innerText(), /filter: passed every step/);
  await assertAccessible(page, "candidates");
  await cards.first().focus();
  await page.keyboard.press("k");
  await page.keyboard.press("d");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("k");
  assert.equal(await counts.innerText(), `2 kept, 1 dropped, ${total - 3} undecided`);
  await page.keyboard.press("Control+z");
  assert.equal(await counts.innerText(), `1 kept, 1 dropped, ${total - 2} undecided`);
  await page.getByText("Saved.").waitFor();
  await cards.nth(2).getByRole("button", { name: "Drop" }).click();
  await page.getByText("1 candidate dropped. Saved.").waitFor();
  await page.reload();
  await cards.first().waitFor();
  assert.equal(await counts.innerText(), `1 kept, 2 dropped, ${total - 3} undecided`, "as it was left");
  assert.equal(await cards.nth(1).getByRole("button", { name: "Drop" }).getAttribute("aria-pressed"), "true");
  await page.getByLabel("Show").selectOption("drop");
  // What has the focus stays, so that one does not lose one's place.
  assert.ok((await cards.count()) <= 3);
  await page.getByLabel("Show").selectOption("all");
  await page.locator(".pick-bar .score.engraved").waitFor();
  await page.locator(".proposed .score.engraved").nth(1).waitFor();
  await page.getByRole("button", { name: /^Drop the/ }).click();
  assert.equal(await counts.innerText(), `1 kept, ${total - 1} dropped, 0 undecided`);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await counts.innerText(), `1 kept, 2 dropped, ${total - 3} undecided`);
  for (const i of [0, 1, 2]) await cards.nth(i).locator("[aria-pressed=true]").click();
  await page.getByText("Saved.").waitFor();
  await page.locator("nav").getByRole("link", { name: "Studies" }).click();
  await page.getByRole("link", { name: "New study" }).waitFor();
});

test("a study is made of candidate sets, with instructions to begin from", async () => {
  await page.getByRole("link", { name: "New study" }).click();
  await page.locator(".sets .tick").first().waitFor();
  assert.match(await page.getByLabel("Instructions").inputValue(), /another key counts as identical/);
  await page.getByLabel("Title").fill("Zweite Studie: Überall");
  assert.equal(await page.getByLabel("Name in addresses").inputValue(), "zweite-studie-uberall");
  await page.getByRole("button", { name: "Create the study" }).click();
  await page.getByText("choose at least one").waitFor();
  await assertAccessible(page, "new study");
  await page.locator(".sets input").first().check();
  await page.getByRole("button", { name: "Create the study" }).click();
  await page.getByRole("heading", { name: "Zweite Studie: Überall" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/studies/zweite-studie-uberall");
  await page.getByRole("button", { name: "Open the study" }).click();
  await page.locator(".mark.state-open").waitFor();
});

test("codes are shown once, can be downloaded, and let people in", async () => {
  await page.getByLabel("one line for each participant").fill("Anna\n=HYPERLINK(1)");
  await page.getByRole("button", { name: "Create codes" }).click();
  await page.locator(".codes tbody tr").nth(1).waitFor();
  const code = await page.locator(".codes tbody code").first().innerText();
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  const csv = readFileSync(await (await waiting).path(), "utf8");
  assert.ok(csv.includes(code) && csv.includes("'=HYPERLINK"), "a label is never a formula");
  await page.getByRole("button", { name: "Create an open link" }).click();
  const link = await page.locator(".open-link .address").innerText();
  await assertAccessible(page, "study");
  await assertLooks(page, "studies-study");
  const guest = await visitor(browser);
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: "Begin" }).click();
  const own = await guest.page.locator(".big-code code").innerText();
  await assertAccessible(guest.page, "new code");
  await guest.page.getByRole("button", { name: "I have kept my code" }).click();
  await guest.page.locator("#welcome-title").waitFor();
  // The same link again is the same person, not another one.
  await guest.page.goto("about:blank");
  await guest.page.goto(link);
  await guest.page.locator("#welcome-title").waitFor();
  await guest.page.goto("about:blank");
  await guest.page.goto(`${server.url}/study/zweite-studie-uberall#${own}`);
  await guest.page.locator("#welcome-title").waitFor();
  await guest.context.close();
  await page.reload();
  await page.locator(".plain tbody tr").nth(2).waitFor();
  assert.equal(await page.getByText(code).count(), 0);
  assert.equal(await page.locator(".plain tbody tr").count(), 3);
});

test("a lost code is replaced, and the old one ends", async () => {
  await page.getByRole("button", { name: "New code for participant 1" }).click();
  const code = await page.locator(".codes tbody code").first().innerText();
  const guest = await visitor(browser);
  await guest.page.goto(`${server.url}/study/zweite-studie-uberall#${code}`);
  await guest.page.locator("#welcome-title").waitFor();
  await page.getByRole("button", { name: "New code for participant 1" }).click();
  await page.waitForFunction((before) => document.querySelector(".codes tbody code").textContent !== before, code);
  assert.equal(await page.locator(".codes tbody tr").count(), 1, "only the last one counts");
  await guest.context.clearCookies();
  await guest.page.goto("about:blank");
  await guest.page.goto(`${server.url}/study/zweite-studie-uberall#${code}`);
  await guest.page.locator(".problem, [role=alert]").first().waitFor();
  await guest.context.close();
  await assertAccessible(page, "new code");
});

test("a study is closed only after being asked twice", async () => {
  await page.getByRole("button", { name: "Close the study" }).click();
  await page.getByRole("button", { name: "No", exact: true }).click();
  assert.equal(await page.locator(".mark.state-open").count(), 1);
  await page.getByRole("button", { name: "Close the study" }).click();
  await page.getByRole("button", { name: "Yes, close it" }).click();
  await page.locator(".mark.state-closed").waitFor();
  await page.getByRole("link", { name: "Log", exact: true }).click();
  await page.locator(".plain tbody tr").first().waitFor();
  await assertAccessible(page, "log");
});

test("the truth follows the rule and the threshold at once", async () => {
  await page.goto(`${server.url}/studies/tunes/truth`);
  await page.locator(".query-table .score.engraved").first().waitFor();
  const groups = () => page.locator("[data-groups]").evaluateAll((all) => all.map((one) => Number(one.textContent)).reduce((a, b) => a + b));
  const before = await groups();
  await page.locator("input[type=range]").fill("0.01");
  await page.waitForFunction(() => document.querySelector(".about").textContent.includes("0.01"));
  assert.ok((await groups()) < before, "fewer groups with a stricter threshold");
  assert.match(page.url(), /threshold=0.01/);
  assert.ok((await page.locator("tr.moved").count()) > 0);
  await page.getByLabel("Grouping rule").selectOption("previous");
  await page.waitForFunction(() => location.search.includes("rule=previous"));
  await page.getByRole("button", { name: "Back to 0.25" }).click();
  await page.getByLabel("Grouping rule").selectOption("paper");
  await page.waitForFunction(() => document.querySelector(".about").textContent.includes("0.25"));
  assert.equal(await groups(), before);
  const about = (text) => page.waitForFunction((part) => document.querySelector(".about").textContent.includes(part), text);
  await about("Only finished rankings count. Minimum of votes per candidate: 1.");
  await page.getByLabel("Count unfinished rankings").check();
  await about("Unfinished rankings count too.");
  await page.getByLabel("Minimum votes per candidate").fill("13");
  await about("Candidates with fewer than 13 votes are left out.");
  assert.equal(await groups(), 0, "twelve people voted");
  assert.match(page.url(), /unfinished=1&min_votes=13/);
  assert.match(await page.getByRole("link", { name: "Truth (JSON)" }).getAttribute("href"), /min_votes=13/, "so are the downloads");
  await page.getByLabel("Minimum votes per candidate").fill("1");
  await page.getByLabel("Count unfinished rankings").uncheck();
  await about("Only finished rankings count. Minimum of votes per candidate: 1.");
  await assertAccessible(page, "truth");
  await assertLooks(page, "studies-truth");
  assertQuiet(who);
});

test("votes from elsewhere are imported, and a mistake in them is explained", async () => {
  const votes = await (await page.request.get(`${server.url}/api/v1/studies/tunes/votes?format=csv`)).text();
  await page.goto(`${server.url}/studies/tunes`);
  const field = page.getByLabel("Votes from elsewhere");
  await field.setInputFiles({ name: "votes.csv", mimeType: "text/csv", buffer: Buffer.from(votes.replace(/^(.*?),/gm, (line, who) => (who === "participant" ? line : `post ${line}`))) });
  await page.getByText(/\d+ votes of 12 participants imported/).waitFor();
  await page.getByText("post", { exact: false }).first().waitFor();
  await field.setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from("participant,query,candidate,rank\nann,q,a,first\n") });
  await page.getByText(/line 2|first/).first().waitFor();
  await assertAccessible(page, "import");
});

test("logging out closes them again", async () => {
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Token").waitFor();
});
