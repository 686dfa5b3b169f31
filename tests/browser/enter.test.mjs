// Ways into a search and around it: writing on the staff, playing and tapping in time, files of several tunes, languages,
// what is kept on the device, and what the page does when something is amiss.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startMock } from "./mock/server.mjs";
import { assertAccessible, assertQuiet, launch, visitor } from "./support/browser.mjs";
import { startCollection } from "./support/program.mjs";

const kJoy = "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/";
const address = (parameters) => `/?${new URLSearchParams(parameters)}`;

let server;
let browser;
before(async () => {
  server = process.env.RONDO_SERVER_URL ? { url: process.env.RONDO_SERVER_URL, close() {} } : await startCollection();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** For tests that do not look at notes. */
const kNoMusic = { music: false };

/** Opens the page, does something there and looks whether the console stayed empty. */
async function at(path, act, options = {}) {
  const who = await visitor(browser, options);
  try {
    await who.page.goto(server.url + path);
    await act(who.page, who);
    assertQuiet(who);
  } finally {
    await who.context.close();
  }
}

const melody = (page) => page.locator("#melody");
const hasMelody = (page, text) => page.waitForFunction((wanted) => document.querySelector("#melody").value === wanted, text);
/** Until the staff shows so many notes. */
const staffOf = (page, notes) => page.waitForFunction((count) => document.querySelectorAll(".stand g.note").length === count, notes);

/** Where line or space `step` of the query's staff is, counted from the lowest line, right of its notes. */
async function spot(page, step, share) {
  return page.evaluate(
    ([up, along]) => {
      const staff = document.querySelector(".stand g.staff");
      const lines = [...staff.children].filter(({ tagName }) => tagName === "path").map((line) => line.getBoundingClientRect());
      const top = lines[0].top + lines[0].height / 2;
      const gap = (lines.at(-1).top - lines[0].top) / 4;
      return { x: lines[0].left + along * lines[0].width, y: top + 4 * gap - (up * gap) / 2 };
    },
    [step, share],
  );
}

test("notes are written on the staff, moved, lengthened, deleted, and all of it undone", async () => {
  await at("/", async (page) => {
    const empty = await page.locator(".empty-staff").boundingBox();
    // The lowest line is E, the space above it F.
    await page.mouse.click(empty.x + 200, empty.y + empty.height - 1);
    await hasMelody(page, "'4E");
    await staffOf(page, 1);
    const behind = await spot(page, 4, 0.98);
    await page.mouse.click(behind.x, behind.y);
    await hasMelody(page, "'4EB");
    await staffOf(page, 2);
    const staff = page.locator(".staff-paper");
    await staff.focus();
    await page.keyboard.press("ArrowUp");
    await hasMelody(page, "'4E''C");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowDown");
    await hasMelody(page, "'4bE''C");
    await page.keyboard.press("+");
    await hasMelody(page, "'4.bE''4C");
    await page.getByRole("button", { name: "Shorter" }).click();
    await hasMelody(page, "'4bE''C");
    await page.getByRole("button", { name: "Delete the note" }).click();
    await hasMelody(page, "''4C");
    for (const text of ["'4bE''C", "'4.bE''4C", "'4bE''C", "'4E''C", "'4EB", "'4E", ""]) {
      await page.getByRole("button", { name: "Undo" }).click();
      await hasMelody(page, text);
    }
    await page.getByRole("button", { name: "Redo" }).click();
    await hasMelody(page, "'4E");
  });
});

test("a note is dragged along the staff, and a click between two notes writes a third", async () => {
  await at(address({ q: "'4EGB" }), async (page) => {
    await staffOf(page, 3);
    const head = (i) => page.evaluate((n) => {
      const { left, top, width, height } = document.querySelectorAll(".stand g.note .notehead")[n].getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }, i);
    const { y: low } = await spot(page, 0, 0);
    const { y: high } = await spot(page, 3, 0);
    const second = await head(1);
    await page.mouse.move(second.x, second.y);
    await page.mouse.down();
    await page.mouse.move(second.x, second.y + (high - low) / 2, { steps: 3 });
    await page.mouse.move(second.x, second.y + (high - low), { steps: 3 });
    await page.mouse.up();
    await hasMelody(page, "'4E''C'B");
    await staffOf(page, 3);
    const [first, next] = [await head(0), await head(1)];
    await page.mouse.click((first.x + next.x) / 2, low);
    await hasMelody(page, "'4EE''C'B");
  });
});

test("music that cannot be edited note by note says so", async () => {
  await at(address({ q: "'4C({8GFE})D" }), async (page) => {
    await page.getByText("edit it as text").waitFor();
    assert.equal(await page.locator(".staff-paper").count(), 0);
  });
});

/** Keys go down and up at these milliseconds; the page reads the time of the events, not the clock. */
const keysInTime = (page, selector, keys) =>
  page.evaluate(
    ([where, all]) => {
      const target = document.querySelector(where);
      for (const [code, key, down, up] of all) {
        for (const [type, time] of [["keydown", down], ["keyup", up]]) {
          const event = new KeyboardEvent(type, { code, key, bubbles: true, cancelable: true });
          Object.defineProperty(event, "timeStamp", { value: time });
          target.dispatchEvent(event);
        }
      }
    },
    [selector, keys],
  );

test("the computer's keys record a rhythm, and the tempo can be corrected", async () => {
  await at("/", async (page) => {
    await page.getByRole("button", { name: "Record rhythm" }).click();
    // A quarter is 600 ms: quarter, eighth, eighth, half.
    await keysInTime(page, ".keys", [["KeyA", "a", 1000, 1500], ["KeyS", "s", 1600, 1850], ["KeyD", "d", 1900, 2150], ["KeyF", "f", 2200, 3350]]);
    await hasMelody(page, "'4C8DE2F");
    assert.match(await page.locator(".take").innerText(), /estimated/);
    await page.getByRole("button", { name: "Double the tempo" }).click();
    await hasMelody(page, "'2C4DE1F");
    assert.match(await page.locator(".take").innerText(), /chosen/);
    await page.locator(".take-tempo input").fill("100");
    await hasMelody(page, "'4C8DE2F");
    await page.getByRole("button", { name: "Start again" }).click();
    await hasMelody(page, "");
    await keysInTime(page, ".keys", [["KeyG", "g", 9000, 9590]]);
    await hasMelody(page, "'4G");
    // A take is one step.
    await page.locator('.keys [tabindex="0"]').focus();
    await page.keyboard.press("Control+z");
    await hasMelody(page, "");
  }, kNoMusic);
});

test("a rhythm is tapped, and only the rhythm is looked for", async () => {
  await at("/", async (page) => {
    await page.getByRole("button", { name: "Tap a rhythm" }).click();
    await keysInTime(page, ".pad", [[" ", " ", 1000, 1100], [" ", " ", 1500, 1600], [" ", " ", 2000, 2050], [" ", " ", 2250, 2300], [" ", " ", 2500, 2600]].map(([, key, down, up]) => ["Space", key, down, up]));
    await hasMelody(page, "'4BB8BB4B");
    await page.waitForURL((url) => url.searchParams.get("system") === "rhythm");
    await page.locator(".results .hit").first().waitFor();
    assert.ok(await page.getByRole("radio", { name: "Same rhythm" }).isChecked());
  }, kNoMusic);
});

test("one key is a hint, not an alarm", async () => {
  await at("/", async (page) => {
    await page.getByRole("button", { name: "C4", exact: true }).click();
    await page.getByText("A search needs at least").waitFor();
    assert.equal(await page.locator(".trouble").count(), 0);
    assert.equal(await page.locator(".box.wrong").count(), 0);
    await page.getByRole("button", { name: "E4", exact: true }).click();
    await page.getByRole("button", { name: "G4", exact: true }).click();
    await page.locator(".results .hit").first().waitFor();
    assert.equal(await page.getByText("A search needs at least").count(), 0);
  }, kNoMusic);
});

test("an address that is none is told, and a title in the place of a melody is offered as words", async () => {
  await at("/no/such/page", async (page) => {
    await page.getByText("There is no page /no/such/page.").waitFor();
    await melody(page).fill("joyful hymn");
    await page.locator(".problem", { hasText: "'joyful' cannot be read as notes" }).waitFor();
    assert.equal(await page.locator(".behind mark").innerText(), "joyful");
    assert.equal(await page.locator(".lost").count(), 0, "the address is one of ours now");
    await page.getByRole("button", { name: "Search for the words “joyful hymn”" }).click();
    await page.waitForURL((url) => url.searchParams.get("text") === "joyful hymn" && !url.searchParams.has("q"));
    await page.locator(".results[aria-busy=false] .facts").waitFor();
    assert.ok(!(await page.locator(".facts").innerText()).includes("compared"), "words are not compared");
  }, kNoMusic);
});

test("plain modes choose a system, and a system by name is behind them", async () => {
  await at(address({ q: kJoy }), async (page) => {
    await page.getByRole("radio", { name: "Contour only" }).check();
    await page.waitForURL((url) => url.searchParams.get("system") === "contour");
    await page.getByLabel("Exact", { exact: false }).check();
    await page.waitForURL((url) => url.searchParams.get("system") === "P1");
    await page.getByRole("radio", { name: "Same tune" }).check();
    await page.waitForURL((url) => !url.searchParams.has("system"));
    assert.equal(await page.locator(".systems").evaluate((one) => one.open), false);
    await page.locator(".systems > summary").click();
    await page.locator("#system").selectOption("spline");
    await page.waitForURL((url) => url.searchParams.get("system") === "spline");
    assert.equal(await page.locator('input[name="mode"]:checked').count(), 0);
  }, kNoMusic);
});

test("Back goes to the query before, also one that was overwritten", async () => {
  await at("/", async (page) => {
    await melody(page).fill("'4FFGA/AGFE/");
    await page.locator(".results .hit").first().waitFor();
    await melody(page).fill("%G-2@2/4 '4CC/GG/AA/2G/");
    await page.waitForURL((url) => url.searchParams.get("q")?.includes("AA/2G"));
    await page.goBack();
    await hasMelody(page, "'4FFGA/AGFE/");
    await page.goForward();
    await hasMelody(page, "%G-2@2/4 '4CC/GG/AA/2G/");
  }, kNoMusic);
});

test("an outage is told, and asked again by itself and by a button", async () => {
  await at("/", async (page) => {
    let out = true;
    await page.route("**/api/v1/search?*", (route) => (out ? route.abort() : route.continue()));
    await melody(page).fill("'4FFGA/AGFE/");
    await page.getByText("The server does not answer").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    out = false;
    await page.locator(".results .hit").first().waitFor();
    assert.equal(await page.locator(".trouble").count(), 0);
  }, kNoMusic);
});

test("query and melody stand on two staves, with a sign under what differs, and sound together", async () => {
  await at(address({ q: "%G-2$xFC@c '4FFGA/AGFE/DDEF/4.F8E2E/", show: "joy-3" }), async (page) => {
    await page.locator(".staves .score.engraved").waitFor();
    assert.equal(await page.locator(".staves g.system").first().locator("g.staff").evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top / 40))).size >= 2), true);
    assert.ok((await page.locator(".staves g.note.aligned-same").count()) >= 8);
    assert.ok((await page.locator(".staves g.note").count()) > (await page.locator(".staves g.note.aligned-same").count()));
    const signs = await page.locator(".staves .score text").allTextContents();
    assert.ok(signs.join("").match(/[≠+]/), signs.join(" "));
    await page.getByRole("button", { name: "Play both melodies" }).click();
    await page.locator(".staves .cursor:not([hidden])").waitFor();
    await page.getByRole("button", { name: "Stop both melodies" }).click();
  });
});

test("of a file with several tunes and voices one is chosen", async () => {
  await at("/", async (page) => {
    const upload = page.locator('input[type="file"]');
    await upload.setInputFiles({ name: "tunes.abc", mimeType: "text/plain", buffer: Buffer.from("X:1\nT:First\nL:1/4\nK:C\nCDEF|GABc|\n\nX:2\nT:Second\nL:1/4\nK:C\nGGAB|cBAG|\n") });
    await page.getByText("tunes.abc (ABC)").waitFor();
    await page.waitForFunction(() => /CDEF/.test(document.querySelector("#melody").value));
    await page.locator("#piece").selectOption({ label: "2. Second" });
    await page.waitForFunction(() => /GGAB/.test(document.querySelector("#melody").value));
    await upload.setInputFiles({ name: "duet.abc", mimeType: "text/plain", buffer: Buffer.from("X:1\nL:1/4\nK:C\nV:1 name=\"Bass\"\nV:2 name=\"Melody\"\n[V:1] C,E,G,C,|C,E,G,C,|\n[V:2] cdef|gagf|\n") });
    await page.getByText("duet.abc (ABC)").waitFor();
    assert.equal(await page.locator("#piece").count(), 0);
    // The upper voice is the melody, though it comes second.
    await page.waitForFunction(() => /^[^,]*C/.test(document.querySelector("#melody").value.replace(/^%\S* /, "")));
    assert.equal(await page.locator("#voice").inputValue(), "1");
    const before = await melody(page).inputValue();
    await page.locator("#voice").selectOption({ index: 0 });
    await page.waitForFunction((old) => document.querySelector("#melody").value !== old, before);
  }, kNoMusic);
});

test("melodies are found although some notes are unknown, and that is said", async () => {
  await at(address({ q: "C4 D4 ? C4" }), async (page) => {
    await page.locator(".hit").first().waitFor();
    assert.match(await page.locator(".facts").textContent(), /The query has unknown notes/);
    await page.getByRole("radio", { name: "Contour only" }).check();
    await page.waitForFunction(() => /system=contour/.test(location.search) && document.querySelector(".results").getAttribute("aria-busy") === "false");
    assert.ok((await page.locator(".hit").count()) > 0);
    await page.getByRole("radio", { name: "Exact" }).check();
    await page.getByText("P1 does not support unknown notes").first().waitFor();
  }, kNoMusic);
});

test("a melody too long for an address has a short link that brings it back", async () => {
  const long = "C4 D4 E4 C4 ".repeat(300).trim();
  await at("/", async (page) => {
    await melody(page).fill(long);
    await page.waitForURL(/[?]m=\w+$/);
    await page.locator(".hit").first().waitFor();
    const ids = () => page.locator(".hit").evaluateAll((all) => all.map(({ dataset }) => dataset.id));
    const before = await ids();
    await page.reload();
    await hasMelody(page, long);
    await page.locator(".hit").first().waitFor();
    assert.deepEqual(await ids(), before);
    assert.match(page.url(), /[?]m=\w+$/);
    // Another melody has another address.
    await melody(page).fill("C4 D4 E4 C4");
    await page.waitForURL(/[?]q=C4/);
    assert.doesNotMatch(page.url(), /m=/);
    await page.goBack();
    await hasMelody(page, long);
  }, kNoMusic);
});

test("searches and melodies are kept on the device and exported", async () => {
  await at(address({ q: kJoy }), async (page) => {
    await page.locator(".hit .keep").nth(0).click();
    await page.locator(".hit .keep").nth(1).click();
    const ids = [await page.locator(".hit").nth(0).getAttribute("data-id"), await page.locator(".hit").nth(1).getAttribute("data-id")];
    await page.waitForFunction(() => (localStorage.getItem("rondo-history") ?? "").includes("FFGA"));
    await page.reload();
    await page.getByRole("link", { name: "Saved (2)" }).click();
    await page.locator(".saved h1").waitFor();
    await assertAccessible(page, "saved");
    const fileOf = async (name) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
      return readFileSync(await file.path(), "utf8");
    };
    const csv = await fileOf("CSV");
    assert.ok(ids.every((id) => csv.includes(id)), csv);
    assert.deepEqual(JSON.parse(await fileOf("JSON")).map(({ id }) => id), ids);
    assert.equal((await fileOf("MEI")).match(/<mei[\s>]/g).length, 2);
    assert.equal((await fileOf("BibTeX")).match(/@misc/g).length, 2);
    await page.locator(".kept-list .keep").first().click();
    await page.getByRole("link", { name: "Saved (1)" }).waitFor();
    await page.getByRole("link", { name: kJoy }).click();
    await page.locator(".results .hit").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Clear the history" }).click();
    await page.getByText("Your searches will appear here").waitFor();
  }, kNoMusic);
});

test("the API has a page for people, with examples that run", async () => {
  await at("/", async (page) => {
    await page.getByRole("link", { name: "API" }).click();
    await page.getByRole("button", { name: /Run.*POST.*search/ }).click();
    await page.locator(".try pre", { hasText: '"hits"' }).waitFor();
    for (const button of await page.locator(".try button").all()) await button.click();
    await page.waitForFunction(() => document.querySelectorAll(".try pre").length === document.querySelectorAll(".try button").length);
    assert.ok(!(await page.locator(".try pre").allInnerTexts()).some((text) => /"status": (4|5)\d\d/.test(text)));
  }, kNoMusic);
});

test("every staff is on paper, also one that leaves the screen before it is engraved", async () => {
  await at("/", async (page) => {
    let release;
    const released = new Promise((done) => (release = done));
    await page.route("**/engraver-*", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(server.url + address({ q: kJoy }));
    await page.locator(".hit .score").first().waitFor();
    await page.evaluate(() => {
      window.print = () => (window.printed = true);
    });
    await page.getByText("Export", { exact: true }).click();
    await page.getByRole("button", { name: "Print with every staff" }).click();
    // Two frames each: the observer tells first that a staff is near the screen, then that it is not.
    await page.evaluate(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (const place of [document.body.scrollHeight, 0]) {
        window.scrollTo(0, place);
        await frame();
        await frame();
      }
    });
    release();
    // Every staff is engraved first: on a busy machine that takes its time.
    await page.waitForFunction(() => window.printed, null, { timeout: 120_000 });
    const [staves, hits] = await page.evaluate(() => [document.querySelectorAll(".hit .score .paper > svg").length, document.querySelectorAll(".hit").length]);
    assert.equal(staves, hits);
  }, { viewport: { width: 1200, height: 400 } });
});

const kLanguages = { de: "Welche andere Quelle", fr: "Quelle autre source", it: "Quale altra fonte", es: "Qué otra fuente" };

test("another language can be chosen and stays", async () => {
  await at(address({ q: kJoy }), async (page) => {
    await page.locator(".results .hit").first().waitFor();
    await page.locator("#language").selectOption("es");
    await page.getByText(kLanguages.es, { exact: false }).waitFor();
    await page.locator(".results .hit").first().waitFor();
    assert.equal(await melody(page).inputValue(), kJoy);
    await page.reload();
    await page.getByText(kLanguages.es, { exact: false }).waitFor();
  }, kNoMusic);
});

const kPages = { start: ["/", ".examples"], results: [address({ q: kJoy, composer: "Carl Example" }), ".hit"], comparison: [address({ q: kJoy, system: "shapeh", beside: "time" }), ".columns .hit"], details: [address({ q: kJoy, show: "joy-2" }), ".staves .legend"], saved: [address({ view: "saved" }), ".saved h1"], api: [address({ view: "api" }), ".operation"], funnel: [address({ view: "funnel" }), ".funnel form"] };

/** Words that stick out of what holds them, or of the screen. */
const overflowing = (page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const found = [];
    for (const one of document.querySelectorAll("button, a, label, summary, legend, h1, h2, h3, p, select, dt, dd, .button")) {
      const { left, right, width, height } = one.getBoundingClientRect();
      if (width === 0 || height === 0 || one.closest(".hidden, .skip, .keys, svg")) continue;
      const cut = one.matches("button, .button, legend, summary, h1, h2, h3") && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
      if (right > wide + 1 || left < -1 || cut) found.push(`${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`);
    }
    return found;
  });

/** To another address of the app as its own links go there, without loading it anew. */
const walk = (page, path) =>
  page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);

test("the browser's language is spoken, and nothing overflows at 320 pixels in any", async () => {
  for (const [locale, lead] of Object.entries({ en: "Which other source", ...kLanguages })) {
    const who = await visitor(browser, { ...kNoMusic, locale, viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true });
    await who.page.goto(server.url);
    await who.page.getByText(lead, { exact: false }).waitFor();
    assert.equal(await who.page.locator("html").getAttribute("lang"), locale);
    for (const [name, [path, ready]] of Object.entries(kPages)) {
      await walk(who.page, path);
      await who.page.locator(ready).first().waitFor();
      await who.page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      for (const way of name === "start" ? [0, 1, 2] : [-1]) {
        if (way > 0) await who.page.locator(".way-tabs button").nth(way).click();
        assert.deepEqual(await overflowing(who.page), [], `${name} in ${locale}, way ${way}`);
        assert.equal(await who.page.evaluate(() => document.documentElement.scrollWidth), 320, `${name} in ${locale}`);
      }
    }
    assertQuiet(who);
    await who.context.close();
  }
});

test("axe finds nothing in the ways to play, on two staves and in the pages beside the search", async () => {
  await at("/", async (page) => {
    for (const way of [1, 2, 0]) {
      await page.locator(".way-tabs button").nth(way).click();
      await assertAccessible(page, `way ${way}`);
    }
    await page.getByRole("button", { name: "Record rhythm" }).click();
    await keysInTime(page, ".keys", [["KeyA", "a", 1000, 1500], ["KeyS", "s", 1600, 2100]]);
    await page.locator(".take").waitFor();
    await page.locator(".staff-paper").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".edit-tools").waitFor();
    await assertAccessible(page, "a take");
  });
  await at(address({ q: kJoy, show: "joy-2" }), async (page) => {
    await page.locator(".staves .score.engraved").waitFor();
    await assertAccessible(page, "two staves");
  });
  await at(address({ view: "api" }), async (page) => {
    await page.locator(".operation").first().waitFor();
    await assertAccessible(page, "api");
  }, kNoMusic);
});

test("what only newer servers can do is used where they say so", async () => {
  const mock = await startMock({ folder: join(process.env.RONDO_WEB, "dist/app") });
  const who = await visitor(browser, kNoMusic);
  const { page, requests } = who;
  try {
    await page.route("**/api/v1/openapi.json", (route) => route.fulfill({ json: { paths: { "/api/v1/search": { get: { parameters: [{ name: "sort" }] } } } } }));
    await page.route("**/api/v1/search?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), relevant: { count: 2, cut: 0.5, more: false } } });
    });
    await page.route("**/api/v1/query?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), read: { kind: "note-names" } } });
    });
    await page.goto(mock.url + address({ q: "'4FFGA/AGFE/" }));
    await page.getByText("2 melodies resemble it").waitFor();
    await page.getByText("7 more distantly").waitFor();
    await page.getByText("Read as note names: 8 notes").waitFor();
    assert.ok(await page.getByLabel("Clef").isDisabled(), "this is no Plaine & Easie");
    assert.equal(await page.locator(".staff-paper").count(), 0);
    await page.locator("#sort").selectOption("year");
    await page.waitForURL((url) => url.searchParams.get("sort") === "year");
    await page.waitForFunction(() => document.querySelector(".results")?.getAttribute("aria-busy") === "false");
    assert.ok(requests.some((url) => url.includes("/search?") && url.includes("sort=year")));
    assertQuiet(who);
  } finally {
    await who.context.close();
    mock.close();
  }
});

test("titles from right to left stand as they should", async () => {
  const title = "שיר השירים";
  const mock = await startMock({ folder: join(process.env.RONDO_WEB, "dist/app") });
  const who = await visitor(browser, kNoMusic);
  try {
    await who.page.route("**/api/v1/search?*", async (route) => {
      const response = await route.fetch();
      const found = await response.json();
      found.hits[0].title = title;
      await route.fulfill({ response, json: found });
    });
    await who.page.goto(mock.url + address({ q: kJoy }));
    await who.page.getByRole("link", { name: title }).waitFor();
    assert.equal(await who.page.locator(".hit h3").first().evaluate((one) => getComputedStyle(one).direction), "rtl");
  } finally {
    await who.context.close();
    mock.close();
  }
});
