import type { JSX } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { useAsked } from "../shared/hooks";
import { problemOf, told, type Problem } from "../shared/http";
import { LanguageChoice } from "../shared/parts/language";
import { ThemeChoice } from "../shared/parts/theme";
import { api, type Run } from "./api";
import { Groups } from "./groups";
import { Login } from "./login";
import { RunPanel } from "./run";
import { t } from "./texts";

const kLook = 700; // milliseconds between two looks at a run

/** The run as it is now; looked at again and again while it is under way. */
function useRun(editor: boolean): { run: Run | null; problem: Problem | null; changed: (run: Run) => void } {
  const [told, setTold] = useState<Run | null>(null);
  const [turn, setTurn] = useState(0);
  const { data, problem } = useAsked(`run ${turn} ${editor}`, 0, (signal) => api.run(signal));
  useEffect(() => {
    if (data) setTold(data);
    if (data?.state !== "running" && data?.state !== "loading") return undefined;
    const timer = setTimeout(() => setTurn((n) => n + 1), kLook);
    return () => clearTimeout(timer);
  }, [data]);
  const changed = useCallback((run: Run) => {
    setTold(run);
    setTurn((n) => n + 1);
  }, []);
  return { run: told, problem, changed };
}

/** Whoever may search may read; who has the token also starts runs and decides. */
function Found({ editor }: { editor: boolean }): JSX.Element {
  const { run, problem, changed } = useRun(editor);
  if (problem && !run) return <p class="problem">{told(problem)}</p>;
  if (!run) return <p>{t.loading}</p>;
  return (
    <>
      <RunPanel run={run} changed={changed} editor={editor} />
      {run.result && <Groups key={run.ended} run={run} total={run.result.groups} editor={editor} />}
    </>
  );
}

export function App(): JSX.Element {
  const [editor, setEditor] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const look = useCallback(() => {
    api.me().then(setEditor, (error: unknown) => setProblem(problemOf(error)));
  }, []);
  useEffect(look, []);
  return (
    <>
      <a class="skip" href="#main">
        {t.skipToMain}
      </a>
      <header class="top">
        <div class="brand">
          <p class="h1">{t.name}</p>
          <p class="lead">{t.title}</p>
        </div>
        <nav aria-label={t.name}>
          <a href="/">{t.search}</a>
          <a href="/concordances" aria-current="page">
            {t.title}
          </a>
          <LanguageChoice />
          <ThemeChoice />
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>{t.heading}</h1>
        {problem && (
          <p class="problem" role="alert">
            {told(problem) || t.offline}
          </p>
        )}
        {editor !== null && <Found editor={editor} />}
        {editor === false && (
          <details class="panel">
            <summary>{t.login.title}</summary>
            <Login done={() => setEditor(true)} />
          </details>
        )}
      </main>
    </>
  );
}
