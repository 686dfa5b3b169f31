import type { JSX } from "preact";
import { useEffect, useReducer, useState } from "preact/hooks";
import { startEngraver } from "../shared/engrave/thread";
import { ApiError, problemOf, type Problem } from "../shared/http";
import { Prose } from "../shared/parts/prose";
import { LanguageChoice } from "../shared/parts/language";
import { ThemeChoice } from "../shared/parts/theme";
import { readFragment, studyOf, type View } from "./address";
import type { Me } from "./api";
import { Join, NewCode, problemText } from "./join";
import { Left, Overview } from "./overview";
import { QueryPage } from "./query";
import { Session } from "./session";
import { t } from "./texts";
import { BackgroundForm, Welcome } from "./welcome";

type Stage =
  | { kind: "loading" }
  | { kind: "join"; link: string; problem: Problem | null }
  | { kind: "new-code"; code: string }
  | { kind: "inside"; me: Me }
  | { kind: "left"; code: string; unsent: boolean }
  | { kind: "failed"; problem: Problem };

const session = new Session(studyOf(location.pathname));

const outside = (problem: Problem): boolean => problem.status === 401 || problem.status === 403;

/** Invitations are taken from the address at once: it may be read over a shoulder or end in a bookmark. */
function takeInvitation(): { code: string; link: string } {
  const fragment = readFragment(location.hash);
  if ("view" in fragment) return { code: "", link: "" };
  history.replaceState(null, "", location.pathname);
  return { code: "", link: "", ...fragment };
}

async function arrive(): Promise<Stage> {
  const { code, link } = takeInvitation();
  try {
    if (code) {
      await session.server.join({ code });
      session.forget();
      session.code = code;
    }
    return { kind: "inside", me: await session.enter() };
  } catch (error) {
    const problem = problemOf(error);
    if (code && error instanceof ApiError && problem.code !== "offline") return { kind: "join", link, problem };
    return outside(problem) ? { kind: "join", link, problem: null } : { kind: "failed", problem };
  }
}

function Inside({ me, view, reload, signIn }: { me: Me; view: View; reload: () => Promise<void>; signIn: () => void }): JSX.Element {
  if (!me.consented) return <Welcome session={session} me={me} next={reload} />;
  if (!me.background && me.study.state === "open") return <BackgroundForm session={session} next={reload} />;
  if (view.kind === "query" && me.queries.some(({ number }) => number === view.number))
    return <QueryPage session={session} me={me} number={view.number} signIn={signIn} />;
  if (view.kind === "instructions")
    return (
      <section class="sheet" aria-labelledby="instructions-title">
        <h1 id="instructions-title">{t.welcome.instructions}</h1>
        <Prose text={me.study.instructions} />
        <button type="button" onClick={() => history.back()}>
          {t.welcome.go}
        </button>
      </section>
    );
  return (
    <>
      {me.study.state === "closed" && (
        <p class="banner" role="status">
          {t.closed}
        </p>
      )}
      <Overview session={session} me={me} />
    </>
  );
}

export function App(): JSX.Element {
  const [stage, setStage] = useState<Stage>({ kind: "loading" });
  const [view, setView] = useState<View>({ kind: "overview" });
  const [, redraw] = useReducer((n: number) => n + 1, 0);

  const reload = async () => setStage({ kind: "inside", me: await session.enter() });
  const begin = async () => {
    setStage({ kind: "loading" });
    setStage(await arrive());
  };
  const signIn = () => setStage({ kind: "join", link: "", problem: null });
  const leave = async () => {
    const { code, unsent } = session;
    if ((await session.leave())?.code === "offline") return;
    setStage({ kind: "left", code, unsent });
  };

  useEffect(() => {
    const turn = () => {
      const fragment = readFragment(location.hash);
      if ("view" in fragment) setView(fragment.view);
      else void begin();
      window.scrollTo(0, 0);
    };
    const online = () => session.retry();
    const unload = (event: BeforeUnloadEvent) => {
      if (!session.store.works && session.unsent) event.preventDefault();
    };
    const first = readFragment(location.hash);
    if ("view" in first) setView(first.view);
    void begin();
    const timer = setTimeout(startEngraver, 50);
    addEventListener("hashchange", turn);
    addEventListener("online", online);
    addEventListener("beforeunload", unload);
    const off = session.onChange(() => redraw(0));
    return () => {
      clearTimeout(timer);
      removeEventListener("hashchange", turn);
      removeEventListener("online", online);
      removeEventListener("beforeunload", unload);
      off();
    };
  }, []);
  // Progress of other devices is asked for whenever the overview is opened.
  useEffect(() => {
    if (stage.kind !== "inside") return;
    document.title = `${stage.me.study.title} · ${t.heading}`;
    if (view.kind === "overview") void session.refresh().then(() => session.me && setStage({ kind: "inside", me: session.me }), () => undefined);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [view, stage.kind]);

  const inside = stage.kind === "inside";
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, and the address says where one is. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {t.skipToMain}
      </a>
      <div class="top" role="banner">
        <div class="brand">
          <p class="h1">{t.name}</p>
          {inside && <p class="lead">{stage.me.study.title}</p>}
        </div>
        <div class="tools">
          {inside && stage.me.consented && (
            <button type="button" onClick={leave}>
              {t.leave.button}
            </button>
          )}
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </div>
      <main id="main" tabIndex={-1}>
        {stage.kind === "loading" && <p class="sheet">{t.loading}</p>}
        {stage.kind === "failed" && (
          <section class="sheet">
            <h1>{t.join.failed}</h1>
            <p class="problem" role="alert">
              {stage.problem.status === 404 ? t.join.unknown : problemText(stage.problem)}
            </p>
            <button type="button" class="main" onClick={begin}>
              {t.retry}
            </button>
          </section>
        )}
        {stage.kind === "join" && (
          <Join
            session={session}
            link={stage.link}
            problem={stage.problem}
            joined={(answer, code) => {
              session.code = code;
              if (answer.code) setStage({ kind: "new-code", code: answer.code });
              else void begin();
            }}
          />
        )}
        {stage.kind === "new-code" && <NewCode code={stage.code} go={begin} />}
        {stage.kind === "left" && (
          <Left
            code={stage.code}
            unsent={stage.unsent}
            back={() => {
              session.forget();
              if (stage.code) location.hash = stage.code;
              else signIn();
            }}
          />
        )}
        {inside && <Inside me={stage.me} view={view} reload={reload} signIn={signIn} />}
      </main>
    </>
  );
}
