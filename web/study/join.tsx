import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf, type Problem } from "../shared/http";
import { Copy } from "../shared/parts/copy";
import type { Joined } from "./api";
import type { Session } from "./session";
import { t } from "./texts";

export function problemText(problem: Problem): string {
  if (problem.code === "offline") return t.offline;
  if (problem.status === 429) return t.join.tooMany(problem.after ?? 60);
  return problem.detail || problem.title || t.problem.title;
}

const joinText = (problem: Problem): string =>
  problem.code === "study-closed" ? t.join.closed : problem.status === 401 || problem.status === 403 ? t.join.wrong : problem.status === 404 ? t.join.unknown : problemText(problem);

interface Props {
  session: Session;
  /** Of an open invitation, else empty. */
  link: string;
  problem: Problem | null;
  joined: (joined: Joined, code: string) => void;
}

export function Join({ session, link, problem: before, joined }: Props): JSX.Element {
  const [typing, setTyping] = useState(!link);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(before);
  const join = async (by: { code: string } | { link: string }) => {
    setBusy(true);
    try {
      const answer = await session.server.join(by);
      joined(answer, answer.code ?? ("code" in by ? by.code : ""));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  const said = problem && (
    <p class="problem" role="alert" id="join-problem">
      {joinText(problem)}
    </p>
  );
  if (!typing)
    return (
      <section class="sheet" aria-labelledby="join-title">
        <h1 id="join-title">{t.join.title}</h1>
        <p>{t.join.link}</p>
        {said}
        <div class="row">
          <button type="button" class="main" disabled={busy} onClick={() => join({ link })}>
            {t.join.begin}
          </button>
          <button type="button" onClick={() => setTyping(true)}>
            {t.join.known}
          </button>
        </div>
      </section>
    );
  return (
    <form
      class="sheet"
      aria-labelledby="join-title"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = code.replace(/\s/g, "");
        if (typed) void join({ code: typed });
      }}
    >
      <h1 id="join-title">{t.join.title}</h1>
      <p>{t.join.lead}</p>
      <label class="field">
        <span>{t.join.code}</span>
        <input
          type="text"
          class="code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
          value={code}
          aria-describedby={problem ? "join-problem code-hint" : "code-hint"}
          aria-invalid={problem ? "true" : undefined}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <small id="code-hint">{t.join.hint}</small>
      </label>
      {said}
      <button type="submit" class="main" disabled={busy}>
        {t.join.go}
      </button>
    </form>
  );
}

/** A new participant's way back, shown this once. */
export function NewCode({ code, go }: { code: string; go: () => void }): JSX.Element {
  const link = `${location.origin}${location.pathname}#${code}`;
  return (
    <section class="sheet" aria-labelledby="code-title">
      <h1 id="code-title">{t.newCode.title}</h1>
      <p>{t.newCode.lead}</p>
      <p class="big-code">
        <code>{code}</code> <Copy text={code} what={t.leave.code} />
      </p>
      <p class="note">
        {t.newCode.link} <span class="address">{link}</span>
      </p>
      <button type="button" class="main" onClick={go}>
        {t.newCode.kept}
      </button>
    </section>
  );
}
