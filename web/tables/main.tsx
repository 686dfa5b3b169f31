import "../shared/style/base.css";
import "../shared/style/score.css";
import "./style.css";
import "./page.css";
import "./engraver";
import { render, type JSX } from "preact";
import { useState } from "preact/hooks";
import { LanguageChoice } from "../shared/parts/language";
import { ThemeChoice } from "../shared/parts/theme";
import { language } from "../shared/spoken";
import { commonInEnglish, speakCommon } from "../shared/texts";
import { common as de } from "../shared/words/de";
import { common as es } from "../shared/words/es";
import { common as fr } from "../shared/words/fr";
import { common as it } from "../shared/words/it";
import type { Truth } from "./data";
import { Tables } from "./tables";
import { named, t } from "./texts";

function readTruth(): Truth | null {
  try {
    return JSON.parse(document.getElementById("rondo-tables")?.textContent ?? "") as Truth;
  } catch {
    return null;
  }
}

/** Staves that are not on the page yet: printing must wait for them. */
const unengraved = (): number => [...document.querySelectorAll(".incipit > .score")].filter((box) => !box.querySelector("svg") && !box.classList.contains("failed")).length;

/** Prints once every staff is engraved, or after half a minute without progress. */
async function printWhole(): Promise<void> {
  const kStep = 100;
  let left = unengraved();
  for (let waited = 0; left > 0 && waited < 30_000; waited += kStep) {
    await new Promise((done) => setTimeout(done, kStep));
    const now = unengraved();
    if (now < left) waited = 0;
    left = now;
  }
  window.print();
}

function Page({ truth }: { truth: Truth }): JSX.Element {
  const [complete, setComplete] = useState(truth.complete ?? false);
  const [compact, setCompact] = useState(false);
  const [printing, setPrinting] = useState(false);
  const print = async () => {
    setPrinting(true);
    await printWhole();
    setPrinting(false);
  };
  return (
    <>
      <header class="title">
        <p class="kind">{t.kind}</p>
        <h1>{truth.title || truth.study}</h1>
        <div class="controls">
          <label>
            <input type="checkbox" checked={complete} onChange={(event) => setComplete(event.currentTarget.checked)} /> {t.allTables}
          </label>
          <label>
            <input type="checkbox" checked={compact} onChange={(event) => setCompact(event.currentTarget.checked)} /> {t.compact}
          </label>
          <button type="button" disabled={printing} onClick={print}>
            {printing ? t.printWaits : t.print}
          </button>
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </header>
      {truth.queries.length > 1 && (
        <nav class="contents" aria-label={t.contents}>
          <ol>
            {truth.queries.map((query) => (
              <li key={query.number}>
                <a href={`#table-${query.number}`}>{query.label || named(query)}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <main class={compact ? "compact" : ""}>
        <Tables truth={truth} complete={complete} compact={compact} />
      </main>
      <footer>
        {t.made}. {t.engraver}
      </footer>
    </>
  );
}

speakCommon({ en: commonInEnglish, de, fr, it, es }[language]);
document.documentElement.lang = language;
const root = document.createElement("div");
document.body.append(root);
const truth = readTruth();
render(truth ? <Page truth={truth} /> : <p>{t.broken}</p>, root);
