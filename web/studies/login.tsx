import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf } from "../shared/http";
import { api, type Whoami } from "./api";
import { problemText } from "./parts";
import { t } from "./texts";

export function Login({ role, done }: { role: Whoami["role"]; done: () => void }): JSX.Element {
  const [token, setToken] = useState("");
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const login = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await api.login(token.trim());
      done();
    } catch (error) {
      const problem = problemOf(error);
      setSaid(problem.status === 429 ? t.login.tooMany(problem.after ?? 60) : problem.status === 401 || problem.status === 403 ? t.login.wrong : problemText(problem));
    }
    setBusy(false);
  };
  return (
    <form class="sheet" onSubmit={login} aria-labelledby="login-title">
      <h1 id="login-title">{t.login.title}</h1>
      <p>
        {t.login.lead} <code>{t.login.command}</code>
      </p>
      {role === "participant" && <p class="banner">{t.login.participant}</p>}
      <label class="field">
        <span>{t.login.token}</span>
        <input type="password" autocomplete="current-password" required value={token} aria-invalid={said ? "true" : undefined} aria-describedby="login-problem" onInput={(event) => setToken(event.currentTarget.value)} />
      </label>
      <p class="problem" id="login-problem" role="alert">
        {said}
      </p>
      <button type="submit" class="main" disabled={busy}>
        {t.login.go}
      </button>
    </form>
  );
}
