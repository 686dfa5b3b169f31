// Concordances as an editor meets them: log in, start a run, look at the groups, filter, decide. Against the program
// itself. Run by ctest (label browser); RONDO_SHOTS=FOLDER keeps pictures.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertAccessible, assertQuiet, launch, visitor } from "./support/browser.mjs";
import { run, startProgram } from "./support/program.mjs";

const demo = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "data/demo");
const shots = process.env.RONDO_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

let folder;
let server;
let browser;
let who;
let page;
let token;

const shot = (name) => shots && page.screenshot({ path: join(shots, `concordances-${name}.png`) });

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rondo-concordances-"));
  const db = join(folder, "demo.db");
  run("import", demo, "--db", db);
  token = run("study", "token", "--db", db).trim().split(/\s+/).at(-1);
  server = await startProgram(db);
  browser = await launch();
  who = await visitor(browser, { locale: "en-GB" });
  page = who.page;
});
after(async () => {
  await browser?.close();
  server?.child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

/** Whoever has not logged in. */
async function asReader(act) {
  const reader = await visitor(browser, { locale: "en-GB" });
  try {
    await act(reader.page);
    assertQuiet(reader);
  } finally {
    await reader.context.close();
  }
}

test("only the token allows to start a run", async () => {
  await page.goto(`${server.url}/concordances`);
  await page.getByText("No run for concordances").waitFor();
  assert.equal(await page.getByRole("button", { name: "Find concordances" }).count(), 0);
  await page.getByText("For editors").click();
  await page.getByLabel("Token").fill("not the token");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("This is not the token.").waitFor();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("button", { name: "Find concordances" }).waitFor();
  assert.equal(await page.getByText("For editors").count(), 0);
  await assertAccessible(page, "before the first run");
  await asReader(async (other) => {
    await other.goto(server.url);
    await other.locator(".collection").waitFor();
    await other.getByRole("link", { name: "Funnel" }).waitFor();
    assert.equal(await other.getByRole("link", { name: "Concordances" }).count(), 0, "nothing to show yet");
  });
});

test("a run is started and its groups are shown, aligned", async () => {
  await page.getByLabel("Minimum, in percent").fill("60");
  await page.getByRole("button", { name: "Find concordances" }).click();
  await page.getByText(/\d+ groups of \d+ melodies/).waitFor();
  const groups = page.locator(".group");
  await groups.first().waitFor();
  assert.equal(await groups.count(), 10, "a page of them");
  assert.ok((await groups.first().locator(".staff svg").count()) >= 2);
  assert.match(await groups.first().locator(".staff").nth(1).getAttribute("aria-label"), /notes? the same, \d+ of another pitch/);
  assert.ok((await page.locator(".staff .o").count()) > 0, "differences are marked");
  await assertAccessible(page, "groups");
  await shot("groups");
});

test("printed, no staff is cut off at the edge of the paper", async () => {
  await page.setViewportSize({ width: 717, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const beyond = await page.locator(".staff svg").evaluateAll((all) => all.filter((svg) => svg.getBoundingClientRect().right > innerWidth + 1).length);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 900 });
  assert.equal(beyond, 0);
});

test("filters and pages lie in the address", async () => {
  await page.getByLabel("attributed to different composers").check();
  const status = page.locator("#groups").getByRole("status").first();
  const fewer = /^(\d+) of (?!\1 )\d+ groups/;
  await status.getByText(fewer).waitFor();
  assert.match(page.url(), /composers=1/);
  await page.reload();
  await status.getByText(fewer).waitFor();
  assert.ok(await page.getByLabel("attributed to different composers").isChecked());
  await page.getByLabel("attributed to different composers").uncheck();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByRole("heading", { name: /^Group 11:/ }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: /^Group 1:/ }).waitFor();
  await page.getByLabel("Words").fill("no source has this");
  await status.getByText(/^0 of/).waitFor();
  await page.getByLabel("Words").fill("");
  await page.getByRole("heading", { name: /^Group 1:/ }).waitFor();
});

test("a decision with a note is kept, exported, and can be taken back", async () => {
  const member = page.locator(".group").first().locator(".member").nth(1);
  await member.getByPlaceholder("Note").fill("another source of the same tune");
  await member.getByRole("button", { name: /^Accept/ }).click();
  await member.getByText("Saved.").waitFor();
  await page.reload();
  await member.locator('button[aria-pressed="true"]').waitFor();
  assert.equal(await member.getByPlaceholder("Note").inputValue(), "another source of the same tune");
  const file = await (await page.request.get(`${server.url}/api/v1/concordances/export?format=decisions`)).text();
  assert.match(file, /accepted,another source of the same tune/);
  await shot("decided");
  await asReader(async (other) => {
    await other.goto(server.url);
    await other.getByRole("link", { name: "Concordances" }).click();
    const read = other.locator(".group").first().locator(".member").nth(1);
    await read.getByText("Accepted. another source of the same tune").waitFor();
    assert.equal(await other.getByRole("button", { name: /Accept|Reject|Find/ }).count(), 0);
    await assertAccessible(other, "as a reader");
    const file = await other.request.get(`${server.url}/api/v1/concordances/export?format=groups`);
    assert.equal(file.status(), 200);
  });
  await member.getByRole("button", { name: /^Accept/ }).click();
  await member.getByText("Saved.").waitFor();
  assert.equal(await member.locator('button[aria-pressed="true"]').count(), 0);
});

test("it fits a narrow screen, in other languages too", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [language, word] of [["de", "Konkordanzen"], ["fr", "Concordances musicales"], ["it", "Concordanze"], ["es", "Concordancias"]]) {
    await page.locator("#language").selectOption(language);
    await page.locator(".group").first().waitFor();
    await page.locator(".lead", { hasText: word }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 320, `${language}: ${wide} points wide`);
  }
  await assertAccessible(page, "narrow");
  await shot("narrow");
  assertQuiet(who);
});
