// The two lists of a query, ranked above the line and unranked below it, and every way to move a melody between them.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useMedia, usePlayingKey } from "../shared/hooks";
import { toggle } from "../shared/playback/player";
import type { Query } from "./api";
import { CandidateCard, type Place } from "./card";
import { follow, type DragPlaces } from "./drag";
import { countOf, groupOf, moved, put, rankOf, same, type Goal, type Move, type Ranking } from "./order";
import { t } from "./texts";

interface Props {
  query: Query;
  ranking: Ranking;
  fixed: boolean;
  change: (ranking: Ranking) => void;
  /** Said to those who listen. */
  say: (text: string) => void;
  playQuery: () => void;
}

/** What has to be put right once the page shows a move: the keyboard's place, or what lies under the pointer. */
interface Aftermath {
  code: string;
  focus: string | null;
  /** Where the card was on the screen, to be kept there. */
  top: number | null;
}

const kQuiet: Place = { rank: 0, of: 0, tied: false, joined: false, first: false };

function placeOf(ranking: Ranking, code: string): Place {
  const at = groupOf(ranking, code);
  const group = ranking[at];
  if (!group) return kQuiet;
  const within = group.indexOf(code);
  return { rank: rankOf(ranking, at), of: countOf(ranking), tied: group.length > 1, joined: within > 0, first: at === 0 && within === 0 };
}

function spoken(ranking: Ranking, code: string, number: number): string {
  const at = groupOf(ranking, code);
  const group = ranking[at];
  if (!group) return t.announce.out(number);
  const rank = rankOf(ranking, at);
  return group.length > 1 ? t.announce.tied(number, rank, group.length - 1) : t.announce.ranked(number, rank, countOf(ranking));
}

const cardIn = (board: Element | null, code: string) => board?.querySelector<HTMLElement>(`[data-code="${CSS.escape(code)}"]`) ?? null;

/** The mark for a goal sits on a card that stays: [its code, side of it]. */
function markOf(ranking: Ranking, dragged: string, goal: Goal | null): [string, "before" | "after" | "with"] | null {
  if (!goal || goal.kind === "out" || same(put(ranking, dragged, goal), ranking)) return null;
  const others = (group: readonly string[] | undefined) => (group ?? []).filter((code) => code !== dragged);
  if (goal.kind === "with") {
    const code = others(ranking[goal.group]).at(-1);
    return code ? [code, "with"] : null;
  }
  const next = ranking.slice(goal.group).flatMap(others)[0];
  if (next) return [next, "before"];
  const last = ranking.flatMap(others).at(-1);
  return last ? [last, "after"] : null;
}

export function Board({ query, ranking, fixed, change, say, playQuery }: Props): JSX.Element {
  const board = useRef<HTMLDivElement>(null);
  const after = useRef<Aftermath | null>(null);
  const latest = useRef(ranking);
  latest.current = ranking;
  const left = useRef(0); // Where in the unranked list somebody was last.
  const [active, setActive] = useState("");
  const [drag, setDrag] = useState<{ code: string; goal: Goal | null } | null>(null);
  const [just, setJust] = useState("");
  const playing = usePlayingKey();
  const narrow = useMedia("(max-width: 46rem)");

  const numbers = new Map(query.candidates.map(({ code }, i) => [code, i + 1]));
  const byCode = new Map(query.candidates.map((one) => [one.code, one]));
  const ranked = ranking.flat();
  const unranked = query.candidates.map(({ code }) => code).filter((code) => !ranked.includes(code));
  const all = [...ranked, ...unranked];
  const current = all.includes(active) ? active : all[0];

  const apply = (next: Ranking, code: string, focus: string | null, top: number | null) => {
    const number = numbers.get(code) ?? 0;
    if (same(next, latest.current)) {
      say(t.announce.stays(number));
      return;
    }
    after.current = { code, focus, top };
    setJust(code);
    change(next);
    say(spoken(next, code, number));
  };

  useEffect(() => {
    if (!just) return undefined;
    const timer = setTimeout(() => setJust(""), 1200);
    return () => clearTimeout(timer);
  }, [just, ranking]);

  // Elements that moved within the page have lost the focus.
  useLayoutEffect(() => {
    const due = after.current;
    after.current = null;
    const card = due && cardIn(board.current, due.code);
    if (!due || !card) return;
    if (due.top !== null) window.scrollBy(0, card.getBoundingClientRect().top - due.top);
    if (due.focus !== null) {
      const control = due.focus ? card.querySelector<HTMLElement>(`[data-move="${due.focus}"]`) : null;
      (control ?? card).focus();
    }
  }, [ranking]);

  const act = (code: string, move: Move, event: MouseEvent) => {
    const byPointer = event.detail > 0;
    const stays = byPointer && (move === "up" || move === "down" || move === "tie") && groupOf(latest.current, code) >= 0;
    apply(moved(latest.current, code, move), code, byPointer ? null : move, stays ? (cardIn(board.current, code)?.getBoundingClientRect().top ?? null) : null);
  };

  const measure = (): DragPlaces => {
    const groups = latest.current;
    const cards = groups.flatMap((group, index) =>
      group.flatMap((code) => {
        const card = cardIn(board.current, code);
        if (!card || card.classList.contains("dragged")) return [];
        const { top, bottom } = card.getBoundingClientRect();
        // Without the dragged one its neighbour is the first or the last of the group.
        const rest = group.filter((one) => !cardIn(board.current, one)?.classList.contains("dragged"));
        return { group: index, first: code === rest[0], last: code === rest.at(-1), top, bottom };
      }),
    );
    const line = board.current?.querySelector(".line")?.getBoundingClientRect();
    const fixedTop = document.querySelector(".pinned-query")?.getBoundingClientRect().bottom ?? 0;
    return { cards, line: line ? (line.top + line.bottom) / 2 : Number.POSITIVE_INFINITY, top: fixedTop };
  };

  const grip = (code: string, event: PointerEvent) => {
    const card = cardIn(board.current, code);
    if (!card || fixed) return;
    follow(event, {
      card,
      ties: query.ties,
      measure,
      show: (goal) => setDrag(goal && { code, goal }),
      drop: (goal) => apply(put(latest.current, code, goal), code, null, null),
      cancelled: () => say(t.announce.cancelled),
    });
  };

  const focusCard = (code: string | undefined) => {
    if (!code) return;
    setActive(code);
    cardIn(board.current, code)?.focus();
  };

  const keyOnCard = (event: KeyboardEvent, code: string, target: HTMLElement): boolean => {
    const onHandle = target.classList.contains("handle");
    const moves = event.altKey || onHandle;
    const focus = target.dataset.move ?? "";
    const go = (move: Move) => {
      if (!fixed) apply(moved(latest.current, code, move), code, focus, null);
      return true;
    };
    const at = all.indexOf(code);
    if (moves && event.key === "ArrowUp") return go("up");
    if (moves && event.key === "ArrowDown") return go("down");
    if (moves && event.key === "Home") return go("top");
    if ((moves && event.key === "End") || event.key === "Delete") return go("out");
    if (event.altKey) return false;
    const steps: Record<string, string | undefined> = { ArrowUp: all[at - 1], ArrowDown: all[at + 1], Home: all[0], End: all.at(-1) };
    if (event.key in steps) {
      focusCard(steps[event.key]);
      return true;
    }
    switch (event.key.toLowerCase()) {
      case "p":
        toggle(code, byCode.get(code)?.notes ?? []);
        return true;
      case "q":
        playQuery();
        return true;
      case "n":
        focusCard(unranked[Math.min(left.current, unranked.length - 1)]);
        return true;
      case "t":
        return query.ties && go("tie");
      default:
        return false;
    }
  };

  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    const code = target.closest<HTMLElement>("[data-code]")?.dataset.code;
    if (code && keyOnCard(event, code, target)) event.preventDefault();
  };

  const entered = (event: FocusEvent) => {
    const code = (event.target as Element).closest<HTMLElement>("[data-code]")?.dataset.code;
    if (!code) return;
    setActive(code);
    if (unranked.includes(code)) left.current = unranked.indexOf(code);
  };

  const mark = drag && markOf(ranking, drag.code, drag.goal);
  const card = (code: string) => {
    const candidate = byCode.get(code);
    if (!candidate) return null;
    return (
      <CandidateCard
        key={code}
        candidate={candidate}
        number={numbers.get(code) ?? 0}
        place={placeOf(ranking, code)}
        ties={query.ties}
        fixed={fixed}
        scale={narrow ? 30 : 36}
        active={code === current}
        playing={playing === code}
        mark={mark?.[0] === code ? mark[1] : ""}
        just={just === code}
        act={(move, event) => act(code, move, event)}
        grip={(event) => grip(code, event)}
      />
    );
  };
  const into = drag?.goal?.kind;
  return (
    <div class={`board${fixed ? " fixed" : ""}`} ref={board} onKeyDown={pressed} onFocusCapture={entered}>
      <h2 class="list-title" key="ranked">
        {t.query.ranked} <span class="count">{ranked.length}</span>
      </h2>
      {ranked.length === 0 && (
        <p class={`empty-list${into === "before" ? " drop-here" : ""}`} key="empty">
          {t.query.empty}
        </p>
      )}
      {ranked.map(card)}
      <div class={`line${into === "out" && drag && ranked.includes(drag.code) ? " drop-here" : ""}`} key="line">
        <h2 class="list-title">
          {t.query.unranked} <span class="count">{unranked.length}</span>
        </h2>
        <p class="note">{unranked.length === 0 ? t.query.allRanked : t.query.line}</p>
      </div>
      {unranked.map(card)}
    </div>
  );
}
