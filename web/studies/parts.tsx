import type { ComponentChildren, JSX } from "preact";
import { told, type Problem } from "../shared/http";
import { t } from "./texts";

export const problemText = (problem: Problem): string =>
  problem.code === "offline" ? t.offline : told(problem) || t.failed;

export function Trouble({ problem }: { problem: Problem | null }): JSX.Element | null {
  return problem ? (
    <p class="problem" role="alert">
      {problemText(problem)}
    </p>
  ) : null;
}

const kWhen = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Seconds since 1970 or a written date; anything else as it is. */
export function when(at: string | number | null): string {
  if (at === null || at === "") return "–";
  const date = new Date(typeof at === "number" ? at * 1000 : at);
  return Number.isNaN(date.getTime()) ? String(at) : kWhen.format(date);
}

/** A wide table scrolls by itself, also by keyboard. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="scroller" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** A file made here. */
export function saveAs(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
