// Does a page still look as it did when somebody looked at it? Compared loosely: the picture of a page is made coarse, a
// digit for each square of twenty points, and may differ in a few squares and by one square's width. So another version of
// the browser does not matter, and a missing style, an overlap or an empty list does.
//
// RONDO_PICTURES=write writes the pictures anew; look at the pages (RONDO_SHOTS=FOLDER keeps them as PNG) before you do.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "pictures");
const shots = process.env.RONDO_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

const kSquare = 20;
const kNoticed = 3; // a difference of so many steps in a square is seen
const kShare = 0.05; // of the squares may differ so much; more where chance has a part in the page

const blanks = new WeakMap(); // a page of each browser's own to measure pictures in

/** How far each square is from the light of the page around everything, from 0 to 9. In a page of its own: the page that
 * is looked at may forbid what this needs. */
async function coarse(browser, png) {
  if (!blanks.has(browser)) blanks.set(browser, await browser.newPage());
  return blanks.get(browser).evaluate(
    async ({ bytes, size }) => {
      const binary = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([binary], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const light = new Float32Array(data.length / 4);
      for (let i = 0; i < light.length; ++i) {
        light[i] = 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2];
      }
      const paper = light[0]; // the corner: what is most common may change where two are nearly so
      const rows = [];
      for (let top = 0; top + size <= bitmap.height; top += size) {
        let row = "";
        for (let left = 0; left + size <= bitmap.width; left += size) {
          let sum = 0;
          for (let y = top; y < top + size; ++y) for (let x = left; x < left + size; ++x) sum += Math.abs(light[y * bitmap.width + x] - paper);
          row += Math.min(9, Math.round((sum / size / size / 255) * 30));
        }
        rows.push(row);
      }
      return rows;
    },
    { bytes: png.toString("base64"), size: kSquare },
  );
}

/** The squares of `one` that have nothing like them near the same place in `other`. */
function strangers(one, other) {
  let count = 0;
  one.forEach((row, y) => {
    [...row].forEach((digit, x) => {
      let nearest = 9;
      for (let v = y - 1; v <= y + 1; ++v) for (let u = x - 1; u <= x + 1; ++u) if (other[v]?.[u] !== undefined) nearest = Math.min(nearest, Math.abs(digit - other[v][u]));
      if (nearest >= kNoticed) ++count;
    });
  });
  return count;
}

/** The share of squares that differ, from 0 to 1. */
export function difference(one, other) {
  if (one.length !== other.length || one[0].length !== other[0].length) return 1;
  return Math.max(strangers(one, other), strangers(other, one)) / (one.length * one[0].length);
}

/** What is seen of the page now is what was seen when its picture was kept. */
export async function assertLooks(page, name, allowed = kShare) {
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ animations: "disabled", caret: "hide", ...(shots && { path: join(shots, `${name}.png`) }) });
  const now = await coarse(page.context().browser(), png);
  const kept = join(folder, `${name}.txt`);
  if (process.env.RONDO_PICTURES === "write") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(kept, `${now.join("\n")}\n`);
    return;
  }
  assert.ok(existsSync(kept), `there is no picture ${kept}: look at the page, then write it with RONDO_PICTURES=write`);
  const share = difference(now, readFileSync(kept, "utf8").trimEnd().split("\n"));
  if (process.env.RONDO_PICTURES === "tell") console.log(`${name}: ${(100 * share).toFixed(1)} %`);
  if (share <= allowed) return;
  const found = join(shots ?? process.env.TMPDIR ?? "/tmp", `${name}.png`);
  writeFileSync(found, png);
  assert.fail(`${name} looks different: ${(100 * share).toFixed(1)} % of its squares (see ${found}):\n${now.join("\n")}`);
}
