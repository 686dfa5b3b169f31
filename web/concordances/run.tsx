import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf, told } from "../shared/http";
import { api, kFormats, type Options, type Run } from "./api";
import { speech, t } from "./texts";

const numberIn = (form: FormData, name: string): number => Number(form.get(name));

function Start({ run, start }: { run: Run; start: (options: Options) => void }): JSX.Element {
  const before = run.options;
  const [by, setBy] = useState<"probability" | "score">(before && !before.min_probability ? "score" : "probability");
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const threshold = numberIn(form, "threshold");
    start({ ...(by === "score" ? { min_score: threshold } : { min_probability: threshold / 100 }), min_notes: numberIn(form, "notes"), either: form.get("either") === "on" });
  };
  return (
    <form class="start" onSubmit={submit}>
      <label class="field">
        <span>{t.run.by}</span>
        <select value={by} onChange={(event) => setBy(event.currentTarget.value as typeof by)}>
          <option value="probability">{t.run.probability}</option>
          <option value="score">{t.run.score}</option>
        </select>
      </label>
      <label class="field">
        <span>{by === "score" ? t.run.leastScore : t.run.leastProbability}</span>
        {by === "score" ? (
          <input key="score" type="number" name="threshold" min="0" max="1" step="0.01" required defaultValue={String(before?.min_score || 0.7)} />
        ) : (
          <input key="probability" type="number" name="threshold" min="1" max="99" step="1" required defaultValue={String(Math.round(100 * (before?.min_probability ?? 0.9)))} />
        )}
      </label>
      <label class="field">
        <span>{t.run.leastNotes}</span>
        <input type="number" name="notes" min="2" max="1000" step="1" required defaultValue={String(before?.min_notes ?? 8)} />
      </label>
      <label class="check">
        <input type="checkbox" name="either" defaultChecked={before?.either ?? false} /> {t.run.either}
      </label>
      <button type="submit" class="main">
        {run.state === "cancelled" ? t.run.goOn : t.run.start}
      </button>
    </form>
  );
}

/** How far the run is, or what it found, and how to begin another. */
export function RunPanel({ run, changed, editor }: { run: Run; changed: (run: Run) => void; editor: boolean }): JSX.Element {
  const [said, setSaid] = useState("");
  const act = async (what: () => Promise<Run>) => {
    try {
      setSaid("");
      changed(await what());
    } catch (error) {
      setSaid(told(problemOf(error)) || t.offline);
    }
  };
  const busy = run.state === "running" || run.state === "loading";
  const { progress, result } = run;
  const share = progress && progress.total > 0 ? progress.done / progress.total : 0;
  return (
    <section class="panel" aria-label={t.run.title}>
      <p role="status">
        {run.state === "none" && t.run.none}
        {run.state === "loading" && t.loading}
        {run.state === "cancelled" && t.run.cancelled}
        {run.state === "running" && (progress ? t.run.running(Math.floor(100 * share), Math.ceil(progress.seconds_left / 60)) : t.run.begins)}
        {run.state === "done" && result && t.run.done(result.groups, result.melodies, result.compared)}
        {run.state === "failed" && <span class="problem">{t.run.failed(run.error?.detail ?? "", run.error?.hint ?? "")}</span>}
      </p>
      {run.state === "running" && <progress max="1" value={share} aria-label={t.run.title} />}
      {editor && run.state === "running" && (
        <button type="button" onClick={() => act(api.cancel)}>
          {t.run.cancel}
        </button>
      )}
      {said && (
        <p class="problem" role="alert">
          {said}
        </p>
      )}
      {editor && !busy && (
        <details open={run.state !== "done"}>
          <summary>{run.state === "none" ? t.run.start : t.run.again}</summary>
          <Start run={run} start={(options) => act(() => api.start(options))} />
        </details>
      )}
      {run.state === "done" && (
        <p class="files">
          {t.files}{" "}
          {kFormats.map((format) => (
            <a key={format} href={api.exportUrl(format)} download>
              {t.formats[format]}
            </a>
          ))}
        </p>
      )}
      {run.state === "done" && result && result.too_short > 0 && <p class="note">{t.run.tooShort(result.too_short, run.options?.min_notes ?? 8)}</p>}
      {run.ended && <p class="note">{t.run.ended(new Date(run.ended).toLocaleString(document.documentElement.lang), speech.number(result?.pairs ?? 0))}</p>}
    </section>
  );
}
