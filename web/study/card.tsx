import type { JSX } from "preact";
import { Score } from "../shared/engrave/score";
import { Icon } from "../shared/parts/icon";
import { PlayButton } from "../shared/parts/play-button";
import type { Candidate } from "./api";
import type { Move } from "./order";
import { t } from "./texts";

export interface Place {
  /** 0: not ranked. */
  rank: number;
  of: number;
  tied: boolean;
  /** Tied to the card above it. */
  joined: boolean;
  first: boolean;
}

interface Props {
  candidate: Candidate;
  number: number;
  place: Place;
  ties: boolean;
  fixed: boolean;
  scale: number;
  active: boolean;
  playing: boolean;
  /** Where a mark shows that a dragged card would go. */
  mark: "before" | "after" | "with" | "";
  just: boolean;
  act: (move: Move, event: MouseEvent) => void;
  grip: (event: PointerEvent) => void;
}

export function CandidateCard(props: Props): JSX.Element {
  const { candidate, number, place, ties, fixed, scale, active, playing, mark, just, act, grip } = props;
  const tab = active ? 0 : -1;
  const ranked = place.rank > 0;
  const where = ranked ? t.card.ranked(place.rank, place.of, place.tied) : t.card.unranked;
  const heading = `card-${candidate.code}`;
  const button = (move: Move, possible: boolean, label = t.card.moves[move], words = "") => (
    <button
      type="button"
      class={words ? "tool wide" : "tool"}
      tabIndex={tab}
      data-move={move}
      title={label}
      aria-disabled={possible ? undefined : "true"}
      aria-pressed={move === "tie" ? place.joined : undefined}
      onClick={(event) => possible && act(move, event)}
    >
      <Icon name={move} />
      {words ? <span>{words}</span> : null}
      <span class="hidden">
        {words ? "" : label}: {t.card.name(number)}
      </span>
    </button>
  );
  return (
    <div
      class={`card${ranked ? " ranked" : ""}${place.joined ? " joined" : ""}${mark ? ` drop-${mark}` : ""}${just ? " just" : ""}`}
      role="group"
      aria-labelledby={heading}
      tabIndex={tab}
      data-code={candidate.code}
      onPointerDown={(event) => {
        const onControl = (event.target as Element).closest("button, a, input");
        if (!fixed && event.button === 0 && event.pointerType === "mouse" && !onControl) grip(event);
      }}
    >
      <div class="place">
        <span class="rank" aria-hidden="true">
          {ranked ? (place.joined ? "=" : place.rank) : "·"}
        </span>
        <span class="number" id={heading}>
          {t.card.name(number)}
          <span class="hidden">, {where}</span>
        </span>
      </div>
      <PlayButton id={candidate.code} notes={candidate.notes} what={t.card.name(number)} tab={tab} />
      <Score mei={candidate.mei} notes={candidate.notes.length} label={t.card.score(number, candidate.notes.length)} playing={playing ? candidate.code : ""} scale={scale} />
      {!fixed && (
        <div class="moves">
          {ranked ? (
            <>
              {button("up", !(place.first && !place.tied))}
              {button("down", true)}
              {button("top", !(place.first && !place.tied))}
              {button("out", true)}
              {ties && button("tie", place.joined || !place.first, place.joined ? t.card.untie : t.card.moves.tie)}
            </>
          ) : (
            <>
              {button("up", true, t.card.rankLong, t.card.rank)}
              {button("top", true)}
            </>
          )}
          <button type="button" class="tool handle" tabIndex={tab} data-move="handle" title={t.card.handle(number)} onPointerDown={(event) => event.button === 0 && grip(event)}>
            <Icon name="grip" />
            <span class="hidden">{t.card.handle(number)}</span>
          </button>
        </div>
      )}
    </div>
  );
}
