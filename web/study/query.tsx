// One query: itself fixed at the top, its candidates below, and how things stand with saving.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Score } from "../shared/engrave/score";
import { usePlayingKey } from "../shared/hooks";
import { problemOf, type Problem } from "../shared/http";
import { Icon } from "../shared/parts/icon";
import { PlayButton } from "../shared/parts/play-button";
import { Tempo } from "../shared/parts/tempo";
import { stop, toggle } from "../shared/playback/player";
import type { Me, Query } from "./api";
import { Board } from "./board";
import { ConflictDialog } from "./conflict";
import { kNoHistory, noted, redone, undone, type History } from "./history";
import { problemText } from "./join";
import type { Ranking } from "./order";
import type { Saver } from "./saver";
import type { Session } from "./session";
import { t } from "./texts";

const kQueryKey = "query";

function Trouble({ saver, session, signIn }: { saver: Saver; session: Session; signIn: () => void }): JSX.Element {
  const texts: Partial<Record<Saver["state"], string>> = { offline: t.save.offline, full: t.save.full, closed: t.save.closed, "signed-out": t.save.signedOut, refused: t.save.refused };
  const text = texts[saver.state];
  const detail = saver.state === "refused" && saver.problem ? ` (${problemText(saver.problem)})` : "";
  return (
    <div class={text ? "banner" : ""} role="status">
      {text && (
        <p>
          {text}
          {detail}
          {saver.state === "offline" && !session.store.works && ` ${t.save.noStore}`}
        </p>
      )}
      {saver.state === "signed-out" && (
        <button type="button" onClick={signIn}>
          {t.save.enter}
        </button>
      )}
      {(saver.state === "offline" || saver.state === "full") && (
        <button type="button" onClick={() => session.retry()}>
          {t.retry}
        </button>
      )}
    </div>
  );
}

/** The height of what is fixed at the top: nothing that gets the focus may hide behind it. */
function useFixedHeight() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!element.current) return undefined;
    const root = document.documentElement;
    const size = new ResizeObserver(([entry]) => {
      root.style.scrollPaddingTop = `${Math.ceil(entry?.target.getBoundingClientRect().height ?? 0) + 12}px`;
    });
    size.observe(element.current);
    return () => {
      size.disconnect();
      root.style.scrollPaddingTop = "";
    };
  }, []);
  return element;
}

function Keys({ ties }: { ties: boolean }): JSX.Element {
  const rows = ties ? [...t.query.keysList, t.query.keysTie] : t.query.keysList;
  return (
    <details class="keys-help">
      <summary>{t.query.keys}</summary>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface DeskProps {
  session: Session;
  me: Me;
  query: Query;
  saver: Saver;
  signIn: () => void;
}

function Desk({ session, me, query, saver, signIn }: DeskProps): JSX.Element {
  const [said, setSaid] = useState("");
  const playing = usePlayingKey();
  const top = useFixedHeight();
  const { ranking, done } = saver.answer;
  const fixed = me.study.state !== "open" || saver.state === "closed";
  const total = me.queries.length;
  const following = me.queries.find((one) => one.number > query.number && !(session.saver(one.number)?.answer.done ?? one.done));

  useEffect(() => {
    document.title = `${t.query.progress(query.number, total)} · ${me.study.title}`;
    return stop;
  }, [query.number]);
  // What another window or device has done in the meantime is shown when one comes back to this one.
  useEffect(() => {
    const back = async () => {
      if (document.visibilityState !== "visible") return;
      if (await session.renew(query.number).catch(() => false)) setSaid(t.announce.renewed);
    };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, [query.number]);

  // Undo and redo go through the rankings of this visit. What comes from elsewhere (another device) begins anew.
  const [history, setHistory] = useState<History>(kNoHistory);
  const shown = useRef<Ranking>(ranking);
  useEffect(() => {
    if (JSON.stringify(shown.current) === JSON.stringify(ranking)) return;
    shown.current = ranking;
    setHistory(kNoHistory);
  }, [ranking]);
  const set = (next: Ranking, then: History) => {
    shown.current = next;
    setHistory(then);
    saver.change({ ranking: next, done });
  };
  const step = (way: typeof undone, text: string) => {
    const to = fixed ? null : way(history, ranking);
    if (!to) return;
    set(to.ranking, to.history);
    setSaid(text);
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) step(redone, t.announce.redone);
      else step(undone, t.announce.undone);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });

  const finish = () => {
    saver.change({ ranking, done: true });
    location.hash = following ? `#query-${following.number}` : "#overview";
  };
  return (
    <>
      <header class="pinned-query" ref={top}>
        <div class="status-row">
          <h1>{t.query.progress(query.number, total)}</h1>
          <p class={`save ${saver.state}`} data-state={saver.state}>
            <span class="dot" aria-hidden="true" />
            {t.save.state[saver.state]}
          </p>
          {!fixed && (
            <span class="row">
              <button type="button" class="text" disabled={history.past.length === 0} onClick={() => step(undone, t.announce.undone)}>
                {t.query.undoMove}
              </button>
              <button type="button" class="text" disabled={history.future.length === 0} onClick={() => step(redone, t.announce.redone)}>
                {t.query.redoMove}
              </button>
            </span>
          )}
          <Tempo />
          <nav aria-label={t.heading}>
            <a href="#instructions">{t.query.instructions}</a>
            <a href="#overview">{t.query.overview}</a>
          </nav>
        </div>
        <section class="stand" aria-label={t.query.label}>
          <PlayButton id={kQueryKey} notes={query.query.notes} what={t.query.label.toLowerCase()} />
          <Score mei={query.query.mei} notes={query.query.notes.length} label={t.query.score(query.query.notes.length)} playing={playing === kQueryKey ? kQueryKey : ""} scale={38} urgent />
        </section>
      </header>
      <Trouble saver={saver} session={session} signIn={signIn} />
      {me.study.state === "closed" && (
        <p class="banner" role="status">
          {t.closed}
        </p>
      )}
      <Board
        query={query}
        ranking={ranking}
        fixed={fixed}
        change={(next) => set(next, noted(history, ranking, next))}
        say={setSaid}
        playQuery={() => toggle(kQueryKey, query.query.notes)}
      />
      <div class="hidden" aria-live="polite" data-said>
        {said}
      </div>
      <footer class="finish">
        {!fixed && (
          <>
            <p class="note">{done ? "" : t.query.doneHint}</p>
            {done ? (
              <button type="button" onClick={() => saver.change({ ranking, done: false })}>
                {t.query.undo}
              </button>
            ) : (
              <button type="button" class="main" onClick={finish}>
                <Icon name="tick" /> {t.query.done}
              </button>
            )}
          </>
        )}
        <Keys ties={query.ties} />
      </footer>
      {saver.conflict && <ConflictDialog conflict={saver.conflict} query={query} settle={(choice) => saver.settle(choice)} />}
    </>
  );
}

interface Props {
  session: Session;
  me: Me;
  number: number;
  signIn: () => void;
}

export function QueryPage({ session, me, number, signIn }: Props): JSX.Element {
  const [loaded, setLoaded] = useState<{ query: Query; saver: Saver } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let gone = false;
    setLoaded(null);
    setProblem(null);
    session.load(number).then(
      (both) => {
        if (gone) return;
        setLoaded(both);
        // The next one is fetched too, so that a lost connection does not stop anyone.
        if (me.queries.some((one) => one.number === number + 1)) void session.load(number + 1).catch(() => undefined);
      },
      (error: unknown) => !gone && setProblem(problemOf(error)),
    );
    return () => {
      gone = true;
    };
  }, [number, attempt]);
  if (loaded) return <Desk key={number} session={session} me={me} signIn={signIn} {...loaded} />;
  if (!problem) return <p class="sheet">{t.loading}</p>;
  return (
    <section class="sheet">
      <h1>{t.problem.title}</h1>
      <p class="problem" role="alert">
        {problem.status === 401 || problem.status === 403 ? t.problem.signIn : problemText(problem)}
      </p>
      <div class="row">
        <button type="button" class="main" onClick={problem.status === 401 || problem.status === 403 ? signIn : () => setAttempt(attempt + 1)}>
          {problem.status === 401 || problem.status === 403 ? t.save.enter : t.retry}
        </button>
        <a class="button" href="#overview">
          {t.query.overview}
        </a>
      </div>
    </section>
  );
}
