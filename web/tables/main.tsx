import "../shared/style/base.css";
import "../shared/style/score.css";
import "./style.css";
import "./page.css";
import "./engraver";
import { render, type JSX } from "preact";
import { useState } from "preact/hooks";
import { ThemeChoice } from "../shared/parts/theme";
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

function Page({ truth }: { truth: Truth }): JSX.Element {
  const [complete, setComplete] = useState(truth.complete ?? false);
  return (
    <>
      <header class="title">
        <p class="kind">{t.kind}</p>
        <h1>{truth.title || truth.study}</h1>
        <div class="controls">
          <label>
            <input type="checkbox" checked={complete} onChange={(event) => setComplete(event.currentTarget.checked)} /> {t.allTables}
          </label>
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
      <main>
        <Tables truth={truth} complete={complete} />
      </main>
      <footer>
        {t.made}. {t.engraver}
      </footer>
    </>
  );
}

const root = document.createElement("div");
document.body.append(root);
const truth = readTruth();
render(truth ? <Page truth={truth} /> : <p>{t.broken}</p>, root);
