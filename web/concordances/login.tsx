import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf, told } from "../shared/http";
import { api } from "./api";
import { t } from "./texts";

export function Login({ done }: { done: () => void }): JSX.Element {
  const [token, setToken] = useState("");
  const [said, setSaid] = useState("");
  const login = async (event: Event) => {
    event.preventDefault();
    try {
      await api.login(token.trim());
      done();
    } catch (error) {
      const problem = problemOf(error);
      setSaid(problem.status === 401 ? t.login.wrong : told(problem) || t.offline);
    }
  };
  return (
    <form class="login" onSubmit={login}>
      <p>
        {t.login.lead} <code>rondo study token</code>
      </p>
      <label class="field">
        <span>{t.login.token}</span>
        <input type="password" autocomplete="current-password" required value={token} aria-describedby="login-problem" onInput={(event) => setToken(event.currentTarget.value)} />
      </label>
      <p class="problem" id="login-problem" role="alert">
        {said}
      </p>
      <button type="submit" class="main">
        {t.login.go}
      </button>
    </form>
  );
}
