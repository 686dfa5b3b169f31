// A browser, and what every test of a page asks of it: no console message, no other host, nothing for axe to find.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const web = createRequire(join(process.env.RONDO_WEB, "package.json"));
const { chromium } = web("playwright-core");
const axe = readFileSync(web.resolve("axe-core/axe.min.js"), "utf8");

/** `more` are switches of the browser. */
export const launch = (more = []) =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: 60_000,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required", ...more],
  });

/** A page in a context of its own: other cookies, other storage. What it says and asks for is written down. */
export async function visitor(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  return { context, ...(await tab(context)) };
}

export async function tab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.RONDO_WAIT ?? 60_000));
  const problems = [];
  const requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  return { page, problems, requests };
}

/** A browser writes refusals and lost connections into its console by itself; all else would be ours. */
export function assertQuiet({ problems, requests }) {
  const own = problems.filter((text) => !/status of (401|403|404|409|422|429|507)|net::ERR_/.test(text));
  assert.deepEqual(own, [], "the console stays empty");
  const other = requests.filter((url) => !/^(blob|data|file):/.test(url) && new URL(url).hostname !== "127.0.0.1");
  assert.deepEqual(other, [], "no other host is asked for anything");
}

export async function assertAccessible(page, what) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).slice(0, 4).join(" | ")}`), [], `${what}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** A finger, as the browser's own protocol moves it. */
export async function finger(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, x, y) => session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  return { down: (x, y) => send("touchStart", x, y), move: (x, y) => send("touchMove", x, y), up: () => send("touchEnd") };
}
