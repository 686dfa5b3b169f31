// What comes before the first query: instructions and consent, then a few questions about the person.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useDoing } from "../shared/doing";
import { Prose } from "../shared/parts/prose";
import type { Me } from "./api";
import { problemText } from "./join";
import type { Session } from "./session";
import { t } from "./texts";

interface Props {
  session: Session;
  me: Me;
  next: () => Promise<void>;
}

/** Sends, goes on, or says what stood in the way. */
function useSending(next: () => Promise<void>) {
  const { busy, problem, run: doing } = useDoing();
  const run = (what: () => Promise<unknown>) => doing(() => what().then(next));
  const said = problem && (
    <p class="problem" role="alert">
      {problemText(problem)}
    </p>
  );
  return { busy, run, said };
}

export function Welcome({ session, me, next }: Props): JSX.Element {
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  const { busy, run, said } = useSending(next);
  return (
    <form
      class="sheet"
      aria-labelledby="welcome-title"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (agreed) void run(session.server.consent);
      }}
    >
      <h1 id="welcome-title">{me.study.title}</h1>
      <h2>{t.welcome.instructions}</h2>
      <Prose text={me.study.instructions} />
      <h2>{t.welcome.consent}</h2>
      <Prose text={me.study.consent || t.welcome.noConsent} />
      <label class="tick">
        <input type="checkbox" checked={agreed} aria-describedby="agree-problem" onChange={(event) => setAgreed(event.currentTarget.checked)} />
        <span>{t.welcome.agree}</span>
      </label>
      <p id="agree-problem" class="problem" role="status">
        {asked && !agreed ? t.welcome.needed : ""}
      </p>
      {said}
      <button type="submit" class="main" disabled={busy}>
        {t.welcome.go}
      </button>
    </form>
  );
}

/** Empty: not said. */
export function yearsOf(text: string): number | null | "wrong" {
  if (text.trim() === "") return null;
  const years = Number(text.trim().replace(",", "."));
  return Number.isFinite(years) && years >= 0 && years <= 100 ? years : "wrong";
}

export function BackgroundForm({ session, next }: Omit<Props, "me">): JSX.Element {
  const [years, setYears] = useState("");
  const [instruments, setInstruments] = useState("");
  const [remarks, setRemarks] = useState("");
  const [asked, setAsked] = useState(false);
  const { busy, run, said } = useSending(next);
  const read = yearsOf(years);
  const wrong = asked && read === "wrong";
  return (
    <form
      class="sheet"
      noValidate
      aria-labelledby="background-title"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (read === "wrong") return;
        const list = instruments.split(/[,;\n]/).map((one) => one.trim()).filter(Boolean);
        void run(() => session.server.background({ years: read, instruments: list, remarks: remarks.trim() }));
      }}
    >
      <h1 id="background-title">{t.background.title}</h1>
      <p>{t.background.lead}</p>
      <label class="field short">
        <span>{t.background.years}</span>
        <input type="text" inputMode="decimal" value={years} aria-invalid={wrong ? "true" : undefined} aria-describedby="years-hint years-problem" onInput={(event) => setYears(event.currentTarget.value)} />
        <small id="years-hint">{t.background.yearsHint}</small>
      </label>
      <p id="years-problem" class="problem" role="status">
        {wrong ? t.background.yearsWrong : ""}
      </p>
      <label class="field">
        <span>{t.background.instruments}</span>
        <input type="text" value={instruments} aria-describedby="instruments-hint" onInput={(event) => setInstruments(event.currentTarget.value)} />
        <small id="instruments-hint">{t.background.instrumentsHint}</small>
      </label>
      <label class="field">
        <span>{t.background.remarks}</span>
        <textarea rows={3} value={remarks} onInput={(event) => setRemarks(event.currentTarget.value)} />
      </label>
      {said}
      <button type="submit" class="main" disabled={busy}>
        {t.background.go}
      </button>
    </form>
  );
}
