import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startEngraver } from "../shared/engrave/thread";
import { useAsked } from "../shared/hooks";
import { problemOf, type Problem } from "../shared/http";
import { LanguageChoice } from "../shared/parts/language";
import { ThemeChoice } from "../shared/parts/theme";
import { api, type Whoami } from "./api";
import { AuditPage } from "./audit";
import { CandidatesPage } from "./candidates";
import { Create } from "./create";
import { List } from "./list";
import { Login } from "./login";
import { problemText } from "./parts";
import { follow, pathOf, useRoute, type Route } from "./route";
import { StudyPage } from "./study";
import { t } from "./texts";
import { TruthPage } from "./truth";

type Named = Extract<Route, { name: string }>;

function OneStudy({ route }: { route: Named }): JSX.Element {
  const [turn, setTurn] = useState(0);
  const { data: study, problem } = useAsked(`${route.name} ${turn}`, 0, () => api.study(route.name));
  const tab = (page: Named["page"], name: string) => (
    <a href={pathOf({ page, name: route.name })} aria-current={route.page === page ? "page" : undefined} onClick={follow}>
      {name}
    </a>
  );
  useEffect(() => {
    if (study) document.title = `${study.title || study.name} · ${t.title}`;
  }, [study]);
  if (problem)
    return (
      <section class="sheet">
        <h1>{problem.status === 404 ? t.missing : t.failed}</h1>
        {problem.status !== 404 && (
          <p class="problem" role="alert">
            {problemText(problem)}
          </p>
        )}
        <a class="button" href="/studies" onClick={follow}>
          {t.title}
        </a>
      </section>
    );
  if (!study) return <p class="sheet">{t.loading}</p>;
  return (
    <div class="one-study">
      <div class="study-head">
        <h1>{study.title || study.name}</h1>
        <span class={`mark state-${study.state}`}>{t.states[study.state]}</span>
        {study.simulated && <span class="mark odd-mark">{t.simulated}</span>}
      </div>
      <nav class="tabs" aria-label={t.study.pages}>
        {tab("study", t.study.overview)}
        {tab("truth", t.study.truth)}
        {tab("audit", t.study.audit)}
      </nav>
      {study.simulated && route.page === "study" && <p class="banner">{t.study.simulated}</p>}
      {route.page === "study" && <StudyPage study={study} changed={() => setTurn((n) => n + 1)} />}
      {route.page === "truth" && <TruthPage study={study} />}
      {route.page === "audit" && <AuditPage study={study} />}
    </div>
  );
}

export function App(): JSX.Element {
  const route = useRoute();
  const [me, setMe] = useState<Whoami | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const look = () =>
    api.me().then(
      (found) => {
        setMe(found);
        setProblem(null);
      },
      (error: unknown) => setProblem(problemOf(error)),
    );
  useEffect(() => {
    void look();
    const timer = setTimeout(startEngraver, 50);
    return () => clearTimeout(timer);
  }, []);
  const inside = me?.role === "researcher";
  const logout = async () => {
    await api.logout().catch(() => undefined);
    void look();
  };
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
          {inside && (
            <a href="/studies" aria-current={route.page === "list" ? "page" : undefined} onClick={follow}>
              {t.title}
            </a>
          )}
          {inside && (
            <button type="button" class="text" onClick={logout}>
              {t.logout}
            </button>
          )}
          <LanguageChoice />
          <ThemeChoice />
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {problem && (
          <section class="sheet">
            <h1>{t.failed}</h1>
            <p class="problem" role="alert">
              {problemText(problem)}
            </p>
            <button type="button" class="main" onClick={look}>
              {t.retry}
            </button>
          </section>
        )}
        {!problem && !me && <p class="sheet">{t.loading}</p>}
        {!problem && me && !inside && <Login role={me.role} done={look} />}
        {!problem && inside && ("name" in route ? <OneStudy key={route.name} route={route} /> : "set" in route ? <CandidatesPage key={route.set} name={route.set} /> : route.page === "new" ? <Create /> : <List />)}
      </main>
    </>
  );
}
