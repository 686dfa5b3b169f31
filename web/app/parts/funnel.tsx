import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked } from "../../shared/hooks";
import { told } from "../../shared/http";
import { api, type Funnel } from "../api";
import type { Update } from "../hooks";
import type { State } from "../state";
import { t } from "../texts";

/** Bars that narrow from step to step; a logarithm keeps the last ones to be seen. */
function Picture({ funnel }: { funnel: Funnel }): JSX.Element {
  const most = Math.log1p(funnel.total) || 1;
  const rows = [{ name: t.funnel.all, left: funnel.total, excluded: 0, percent: 0 }, ...funnel.steps.map((one) => ({ ...one, name: one.step }))];
  return (
    <ol class="funnel-bars">
      {rows.map(({ name, left, excluded, percent }, i) => {
        const width = Math.max(0.4, (Math.log1p(left) / most) * 100);
        return (
          <li key={i}>
            <span class="name">{name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect x={50 - width / 2} width={width} height="10" rx="0.5" />
            </svg>
            <span class="left">{t.funnel.left(left)}</span>
            <span class="excluded">{i > 0 ? t.funnel.excluded(excluded, percent) : ""}</span>
          </li>
        );
      })}
    </ol>
  );
}

export function FunnelPage({ state, update }: { state: State; update: Update }): JSX.Element {
  const [steps, setSteps] = useState(state.steps || t.funnel.example);
  const { data, problem, busy } = useAsked(state.steps, 0, () => api.funnel(state.steps));
  return (
    <section class="funnel" aria-labelledby="funnel-title">
      <h1 id="funnel-title">{t.funnel.title}</h1>
      <p class="lead">{t.funnel.lead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          update({ steps });
        }}
      >
        <label class="choice">
          <span>{t.funnel.steps}</span>
          <textarea rows={8} spellcheck={false} value={steps} onInput={(event) => setSteps(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main" disabled={busy}>
          {t.funnel.run}
        </button>
      </form>
      {problem && (
        <p class="problem" role="alert">
          {told(problem)}
        </p>
      )}
      {data && <Picture funnel={data} />}
    </section>
  );
}
