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

const kViewport = { width: 1200, height: 900 };
const shared = new WeakMap(); // by browser: a context, and whether somebody has it

/** The context of the visitor before, who has left nothing there but a warm cache; null where it is taken. */
async function freeContext(browser) {
  if (!shared.has(browser)) shared.set(browser, { context: await browser.newContext({ viewport: kViewport }), free: true });
  const kept = shared.get(browser);
  if (!kept.free) return null;
  kept.free = false;
  await kept.context.clearCookies();
  const pages = [];
  return {
    newPage: async () => {
      pages.push(await kept.context.newPage());
      return pages.at(-1);
    },
    clearCookies: () => kept.context.clearCookies(),
    close: async () => {
      await Promise.all(pages.map((page) => page.close()));
      kept.free = true;
    },
  };
}

/** Runs in the page before anything else: a new tab has no session yet. */
function forget() {
  try {
    if (sessionStorage.getItem("begun")) return;
    localStorage.clear();
    sessionStorage.setItem("begun", "1");
  } catch {
    // about:blank has no storage.
  }
}

/** The engraver is large. Where nobody looks at notes it is not fetched. */
export const withoutMusic = (page) => page.route("**/engraver-*", (route) => route.abort());

/**
 * A page with cookies and storage of its own. What it says and asks for is written down. `music: false` leaves out the
 * engraver; other options are those of a context.
 */
export async function visitor(browser, { music = true, viewport = kViewport, ...options } = {}) {
  const reused = Object.keys(options).length === 0 ? await freeContext(browser) : null;
  const context = reused ?? (await browser.newContext({ viewport, ...options }));
  const made = await tab(context);
  if (reused) {
    await made.page.addInitScript(forget);
    if (viewport !== kViewport) await made.page.setViewportSize(viewport);
  }
  if (!music) await withoutMusic(made.page);
  return { context, ...made };
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
