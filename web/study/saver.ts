// Brings one query's answers to the server, one at a time and in order, and never drops one before it is acknowledged or
// the person has chosen another. A save is repeated under the same id until there is an answer.

import type { Problem } from "../shared/http";
import { same } from "./order";
import type { Answer, Kept, Save } from "./store";

export type SaveState = "saved" | "saving" | "offline" | "full" | "closed" | "signed-out" | "conflict" | "refused";

/** What the server has although this page began from something else. */
export interface Conflict {
  mine: Answer;
  theirs: Answer;
  version: number;
}

export type Outcome = { version: number } | { problem: Problem & Partial<Answer & { version: number }> };

interface Surroundings {
  post: (save: Save) => Promise<Outcome>;
  keep: (kept: readonly Kept[]) => void;
  /** Calls back after so many milliseconds; gives what calls it off. */
  later: (act: () => void, milliseconds: number) => () => void;
  word: () => string;
  /** Something to show has changed. */
  changed: () => void;
}

const kFirstPause = 1000;
const kLongestPause = 30_000;

export class Saver {
  state: SaveState = "saved";
  conflict: Conflict | null = null;
  problem: Problem | null = null;
  private version: number;
  /** What the server has, as far as this page knows. */
  private known: Answer;
  private current: Answer;
  private busy = false;
  private failures = 0;
  private callOff: (() => void) | null = null;
  /** The first is on its way. More than one only if several tabs left something. */
  private kept: Kept[];

  constructor(
    private readonly around: Surroundings,
    server: Answer & { version: number },
    left: readonly Kept[] = [],
  ) {
    this.version = server.version;
    this.known = { ranking: server.ranking, done: server.done };
    this.current = this.known;
    this.kept = [...left];
    this.show();
    void this.send();
  }

  /** What the person sees. */
  get answer(): Answer {
    return this.current;
  }

  get settled(): boolean {
    return this.kept.length === 0 && this.conflict === null;
  }

  change(answer: Answer): void {
    if (this.conflict) return;
    this.current = answer;
    const last = this.kept.at(-1);
    if (last) last.next = answer;
    else this.kept.push(this.fresh(answer));
    this.around.keep(this.kept);
    if (this.state === "saved") this.state = "saving";
    this.around.changed();
    void this.send();
  }

  /** Now rather than when the pause is over: the connection is back, or somebody asked. */
  retry(): void {
    this.failures = 0;
    this.callOff?.();
    this.callOff = null;
    if (this.state === "signed-out") this.state = "saving";
    void this.send();
  }

  /** The server has something newer, and nothing of ours is under way. */
  renew(server: Answer & { version: number }): boolean {
    if (!this.settled || this.busy || server.version <= this.version) return false;
    this.version = server.version;
    this.known = { ranking: server.ranking, done: server.done };
    this.current = this.known;
    this.around.changed();
    return true;
  }

  settle(choice: "mine" | "theirs"): void {
    if (!this.conflict) return;
    const { mine, theirs, version } = this.conflict;
    this.conflict = null;
    this.version = version;
    this.kept.shift();
    if (choice === "mine") this.kept.unshift(this.fresh(mine));
    this.known = theirs;
    this.advance();
    void this.send();
  }

  private fresh(answer: Answer): Kept {
    return { pending: { ...answer, save: this.around.word(), version: this.version }, next: null };
  }

  private advance(): void {
    this.around.keep(this.kept);
    this.state = this.kept.length > 0 ? "saving" : "saved";
    this.show();
  }

  private show(): void {
    const [first] = this.kept;
    const { ranking, done } = first ? (first.next ?? first.pending) : this.known;
    this.current = { ranking, done };
    this.around.changed();
  }

  private async send(): Promise<void> {
    const [first] = this.kept;
    const halted = ["closed", "signed-out", "refused", "conflict"].includes(this.state);
    if (this.busy || !first || halted || this.callOff) return;
    this.busy = true;
    if (this.state === "saved") this.state = "saving";
    this.around.changed();
    const outcome = await this.around.post(first.pending);
    this.busy = false;
    if ("problem" in outcome) this.failed(first, outcome.problem);
    else this.arrived(first, outcome.version);
    this.around.changed();
    void this.send();
  }

  private arrived(first: Kept, version: number): void {
    this.failures = 0;
    this.problem = null;
    // The answer to a repeated save may be older than what the server has told since; then that is what counts.
    if (version >= this.version) {
      this.version = version;
      this.known = { ranking: first.pending.ranking, done: first.pending.done };
    }
    if (first.next) {
      first.pending = { ...first.next, save: this.around.word(), version };
      first.next = null;
    } else this.kept.shift();
    this.advance();
  }

  private failed(first: Kept, problem: Problem & Partial<Answer & { version: number }>): void {
    this.problem = problem;
    const { version, ranking } = problem;
    if (problem.code === "ranking-conflict" && version !== undefined && ranking) {
      this.meet(first, { ranking, done: problem.done ?? false }, version);
    } else if (problem.code === "study-closed") this.state = "closed";
    else if (problem.status === 401 || problem.code.startsWith("csrf")) this.state = "signed-out";
    else if (problem.status >= 400 && problem.status < 500 && ![408, 425, 429].includes(problem.status)) this.state = "refused";
    else this.pause(problem.status === 507 ? "full" : "offline", problem.after);
  }

  private meet(first: Kept, theirs: Answer, version: number): void {
    const { ranking, done } = first.next ?? first.pending;
    if (same(ranking, theirs.ranking) && done === theirs.done) {
      // Both say the same: there is nothing to choose.
      this.version = version;
      this.known = theirs;
      this.kept.shift();
      this.advance();
      return;
    }
    this.conflict = { mine: { ranking, done }, theirs, version };
    this.state = "conflict";
  }

  private pause(state: SaveState, seconds: number | undefined): void {
    this.state = state;
    const pause = Math.min(kLongestPause, kFirstPause * 2 ** this.failures++);
    this.callOff = this.around.later(
      () => {
        this.callOff = null;
        void this.send();
      },
      Math.max(pause, (seconds ?? 0) * 1000),
    );
  }
}
