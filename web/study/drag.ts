// Dragging by mouse, pen or finger with pointer events. The card follows the pointer; the others stay where they are, and
// a mark shows where it would go. Near the upper and lower edge the page scrolls.

import { goalAt, type Card, type Goal } from "./order";

const kBegin = 5; // A click may tremble by so many pixels.
const kEdge = 72;
const kFastest = 20; // pixels a frame

export interface DragPlaces {
  cards: Card[];
  line: number;
  /** What is fixed at the top hides the list down to here. */
  top: number;
}

interface Options {
  card: HTMLElement;
  ties: boolean;
  measure: () => DragPlaces;
  show: (goal: Goal | null) => void;
  drop: (goal: Goal) => void;
  cancelled: () => void;
}

/** How fast the page is to scroll with the pointer at this height. */
export function scrollSpeed(y: number, top: number, bottom: number): number {
  const over = y < top + kEdge ? y - top - kEdge : y > bottom - kEdge ? y - bottom + kEdge : 0;
  return Math.max(-1, Math.min(1, over / kEdge)) * kFastest;
}

export function follow(start: PointerEvent, { card, ties, measure, show, drop, cancelled }: Options): void {
  const grip = start.currentTarget as HTMLElement;
  const origin = start.clientY + window.scrollY;
  let y = start.clientY;
  let moving = false;
  let frame = 0;
  let goal: Goal = { kind: "out" };

  const step = () => {
    frame = requestAnimationFrame(step);
    const places = measure();
    const speed = scrollSpeed(y, places.top, window.innerHeight);
    if (speed !== 0) window.scrollBy(0, speed);
    card.style.transform = `translateY(${y + window.scrollY - origin}px)`;
    const next = goalAt(places.cards, y, places.line, ties);
    if (JSON.stringify(next) === JSON.stringify(goal)) return;
    goal = next;
    show(goal);
  };
  const begin = () => {
    moving = true;
    grip.setPointerCapture(start.pointerId);
    card.classList.add("dragged");
    document.body.classList.add("dragging");
    const places = measure();
    goal = goalAt(places.cards, y, places.line, ties);
    show(goal);
    step();
  };
  const end = (dropped: boolean) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", key, true);
    if (!moving) return;
    cancelAnimationFrame(frame);
    card.style.transform = "";
    card.classList.remove("dragged");
    document.body.classList.remove("dragging");
    show(null);
    if (dropped) drop(goal);
    else cancelled();
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    y = event.clientY;
    if (!moving && Math.hypot(event.clientX - start.clientX, y - start.clientY) >= kBegin) begin();
    if (moving) event.preventDefault();
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    // The pointer may have gone further since the last picture.
    const places = measure();
    goal = goalAt(places.cards, event.clientY, places.line, ties);
    end(true);
  };
  const cancel = (event: PointerEvent) => event.pointerId === start.pointerId && end(false);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", key, true);
}
