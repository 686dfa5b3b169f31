// Two versions of one ranking, side by side, and the choice between them. There is no way past it but to choose.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Score } from "../shared/engrave/score";
import type { Query } from "./api";
import { groupOf, rankOf, type Ranking } from "./order";
import type { Conflict } from "./saver";
import type { Answer } from "./store";
import { t } from "./texts";

interface VersionProps {
  title: string;
  answer: Answer;
  other: Ranking;
  query: Query;
  keep: string;
  choose: () => void;
}

function Version({ title, answer, other, query, keep, choose }: VersionProps): JSX.Element {
  const rows = answer.ranking.flatMap((group, at) => group.map((code) => ({ code, rank: rankOf(answer.ranking, at) })));
  return (
    <section>
      <h3>
        {title}
        {answer.done && <span class="mark done">{t.conflict.doneMark}</span>}
      </h3>
      <button type="button" class="main" onClick={choose}>
        {keep}
      </button>
      {rows.length === 0 && <p class="note">{t.conflict.none}</p>}
      <ul>
        {rows.map(({ code, rank }) => {
          const number = query.candidates.findIndex((one) => one.code === code);
          const candidate = query.candidates[number];
          const there = groupOf(other, code);
          const differs = there < 0 || rankOf(other, there) !== rank;
          return (
            <li key={code} class={differs ? "differs" : ""}>
              <span>
                <strong>{rank}</strong> {t.card.name(number + 1)}
                {differs && <span class="hidden"> ({t.conflict.where})</span>}
              </span>
              {candidate && <Score mei={candidate.mei} notes={candidate.notes.length} label={t.card.score(number + 1, candidate.notes.length)} playing="" scale={26} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface Props {
  conflict: Conflict;
  query: Query;
  settle: (choice: "mine" | "theirs") => void;
}

export function ConflictDialog({ conflict, query, settle }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog class="conflict" ref={dialog} aria-labelledby="conflict-title" onCancel={(event) => event.preventDefault()}>
      <h2 id="conflict-title" tabIndex={-1}>
        {t.conflict.title}
      </h2>
      <p>{t.conflict.lead}</p>
      <div class="versions">
        <Version title={t.conflict.mine} answer={conflict.mine} other={conflict.theirs.ranking} query={query} keep={t.conflict.keepMine} choose={() => settle("mine")} />
        <Version title={t.conflict.theirs} answer={conflict.theirs} other={conflict.mine.ranking} query={query} keep={t.conflict.keepTheirs} choose={() => settle("theirs")} />
      </div>
    </dialog>
  );
}
