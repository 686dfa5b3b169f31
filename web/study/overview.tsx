import type { JSX } from "preact";
import { Copy } from "../shared/parts/copy";
import type { Me, Progress } from "./api";
import { countOf } from "./order";
import type { Session } from "./session";
import { t } from "./texts";

/** Progress as the server told it, and what happened on this page since. */
export function progressOf(session: Session, me: Me): (Progress & { unsent: boolean })[] {
  return me.queries.map((one) => {
    const saver = session.saver(one.number);
    if (!saver) return { ...one, unsent: false };
    const { ranking, done } = saver.answer;
    return { ...one, ranked: countOf(ranking), done, unsent: !saver.settled };
  });
}

export function Overview({ session, me }: { session: Session; me: Me }): JSX.Element {
  const queries = progressOf(session, me);
  const done = queries.filter((one) => one.done).length;
  const finished = queries.length > 0 && done === queries.length && !session.unsent;
  const next = queries.find((one) => !one.done);
  return (
    <section class="sheet wide" aria-labelledby="overview-title">
      <h1 id="overview-title">{finished ? t.finished.title : t.overview.title}</h1>
      <p>{finished ? t.finished.text : me.study.state === "draft" ? t.overview.draft : queries.length === 0 ? t.overview.none : t.overview.lead}</p>
      {queries.length > 0 && (
        <p class="meter">
          <progress max={queries.length} value={done} aria-label={t.overview.title} />
          <span>{t.overview.doneOf(done, queries.length)}</span>
        </p>
      )}
      <ol class="queries">
        {queries.map(({ number, ranked, total, done: isDone, unsent }) => (
          <li key={number}>
            <a href={`#query-${number}`} class={number === next?.number ? "next" : ""} aria-describedby={`state-${number}`}>
              <strong>{t.overview.query(number)}</strong>
              <span id={`state-${number}`}>
                {t.overview.ranked(ranked, total)}
                {unsent && ` · ${t.overview.unsent}`}
              </span>
              <span class={`mark${isDone ? " done" : ""}`}>{isDone ? t.overview.done : ranked > 0 ? t.overview.resume : t.overview.start}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface LeaveProps {
  code: string;
  unsent: boolean;
  back: () => void;
}

export function Left({ code, unsent, back }: LeaveProps): JSX.Element {
  const address = `${location.origin}${location.pathname}`;
  return (
    <section class="sheet" aria-labelledby="left-title">
      <h1 id="left-title">{t.leave.title}</h1>
      <p>{unsent ? t.leave.unsent : t.leave.saved}</p>
      <p>{t.leave.how}</p>
      <p class="address">
        {address} <Copy text={address} what={address} />
      </p>
      {code ? (
        <p class="big-code">
          <span class="note">{t.leave.code}</span>
          <code>{code}</code> <Copy text={code} what={t.leave.code} />
        </p>
      ) : (
        <p>{t.leave.noCode}</p>
      )}
      <p class="note">{t.leave.note}</p>
      <button type="button" onClick={back}>
        {t.leave.back}
      </button>
    </section>
  );
}
