import { beforeEach, describe, expect, test } from "vitest";
import { Saver, type Outcome } from "../study/saver";
import { keyOf, Store, type Answer, type Box, type Kept, type Save } from "../study/store";

const nothing: Answer & { version: number } = { version: 0, ranking: [], done: false };
const answer = (...codes: string[]) => ({ ranking: codes.map((code) => [code]), done: false });
const problem = (status: number, code: string, more = {}): Outcome => ({ problem: { status, code, title: "", detail: "", ...more } });

/** A server that answers only when told to, and a clock that is turned by hand. */
class Stage {
  sent: Save[] = [];
  kept: readonly Kept[] = [];
  pauses: number[] = [];
  private waiting: ((outcome: Outcome) => void)[] = [];
  private due: (() => void)[] = [];
  private words = 0;
  saver(server = nothing, left: Kept[] = []): Saver {
    return new Saver(
      {
        post: (save) => {
          this.sent.push(structuredClone(save));
          return new Promise((done) => this.waiting.push(done));
        },
        keep: (kept) => (this.kept = structuredClone(kept)),
        later: (act, milliseconds) => {
          this.pauses.push(milliseconds);
          this.due.push(act);
          return () => (this.due = this.due.filter((one) => one !== act));
        },
        word: () => `save-${++this.words}`,
        changed: () => undefined,
      },
      server,
      left,
    );
  }
  async reply(outcome: Outcome): Promise<void> {
    this.waiting.shift()?.(outcome);
    await new Promise((done) => setTimeout(done));
  }
  async wake(): Promise<void> {
    this.due.shift()?.();
    await new Promise((done) => setTimeout(done));
  }
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

describe("saving", () => {
  test("a move is sent at once and is saved only when the server says so", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    expect(stage.sent).toEqual([{ ...answer("a"), version: 0, save: "save-1" }]);
    expect(saver.state).toBe("saving");
    expect(stage.kept).toHaveLength(1);
    await stage.reply({ version: 1 });
    expect(saver.state).toBe("saved");
    expect(stage.kept).toEqual([]);
  });
  test("moves made while one is under way follow it as one, from the new version", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    saver.change(answer("a", "b"));
    saver.change(answer("b", "a"));
    expect(stage.sent).toHaveLength(1);
    await stage.reply({ version: 1 });
    expect(stage.sent[1]).toEqual({ ...answer("b", "a"), version: 1, save: "save-2" });
    await stage.reply({ version: 2 });
    expect(saver.state).toBe("saved");
  });
  test("without a connection the same save goes again, later and later, and never changes", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(problem(0, "offline"));
    expect(saver.state).toBe("offline");
    saver.change(answer("b"));
    await stage.wake();
    await stage.reply(problem(0, "offline"));
    await stage.wake();
    await stage.reply(problem(503, "busy"));
    expect(stage.pauses).toEqual([1000, 2000, 4000]);
    expect(new Set(stage.sent.map(({ save }) => save))).toEqual(new Set(["save-1"]));
    expect(stage.sent.every(({ ranking }) => ranking[0]?.[0] === "a")).toBe(true);
    await stage.wake();
    await stage.reply({ version: 1 });
    expect(stage.sent.at(-1)).toEqual({ ...answer("b"), version: 1, save: "save-2" });
  });
  test("the pause stops growing, and a server that names one is obeyed", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    for (let i = 0; i < 8; ++i) {
      await stage.reply(problem(0, "offline"));
      await stage.wake();
    }
    expect(stage.pauses.at(-1)).toBe(30_000);
    await stage.reply(problem(429, "rate-limit", { after: 90 }));
    expect(stage.pauses.at(-1)).toBe(90_000);
  });
  test("asked to, it tries at once and not twice", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(problem(0, "offline"));
    saver.retry();
    saver.retry();
    expect(stage.sent).toHaveLength(2);
    await stage.wake();
    expect(stage.sent).toHaveLength(2);
  });
  test("a full disk is said, and tried again", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(problem(507, "disk-full"));
    expect(saver.state).toBe("full");
    expect(stage.kept).toHaveLength(1);
    await stage.wake();
    await stage.reply({ version: 1 });
    expect(saver.state).toBe("saved");
  });
  test.each([
    [403, "study-closed", "closed"],
    [401, "join-needed", "signed-out"],
    [403, "csrf-wrong", "signed-out"],
    [403, "consent-missing", "refused"],
    [422, "ranking-unknown", "refused"],
  ] as const)("%i %s stops it with everything kept", async (status, code, state) => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(problem(status, code));
    expect(saver.state).toBe(state);
    expect(stage.kept).toHaveLength(1);
    expect(stage.pauses).toEqual([]);
  });
});

describe("conflicts", () => {
  const conflict = problem(409, "ranking-conflict", { version: 7, ranking: [["x"]], done: false });
  test("nothing is sent until somebody has chosen, and moves made meanwhile are mine", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    saver.change(answer("a", "b"));
    await stage.reply(conflict);
    expect(saver.conflict).toEqual({ mine: answer("a", "b"), theirs: answer("x"), version: 7 });
    saver.change(answer("z"));
    saver.retry();
    expect(stage.sent).toHaveLength(1);
    expect(stage.kept).toHaveLength(1);
  });
  test("mine goes over theirs as a new save from their version", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(conflict);
    saver.settle("mine");
    expect(stage.sent[1]).toEqual({ ...answer("a"), version: 7, save: "save-2" });
    await stage.reply({ version: 8 });
    expect(saver.answer).toEqual(answer("a"));
    expect(saver.state).toBe("saved");
  });
  test("theirs is shown and nothing is sent", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    await stage.reply(conflict);
    saver.settle("theirs");
    expect(saver.answer).toEqual(answer("x"));
    expect(stage.sent).toHaveLength(1);
    expect(stage.kept).toEqual([]);
    saver.change(answer("x", "a"));
    expect(stage.sent[1]?.version).toBe(7);
  });
  test("two versions that say the same are none", async () => {
    const saver = stage.saver();
    saver.change(answer("x"));
    await stage.reply(conflict);
    expect(saver.conflict).toBeNull();
    expect(saver.state).toBe("saved");
  });
});

describe("what was left", () => {
  const left = (next: ReturnType<typeof answer> | null = null): Kept => ({ pending: { ...answer("a"), version: 0, save: "old" }, next });
  test("is shown and sent again under its old name", async () => {
    const saver = stage.saver(nothing, [left(answer("a", "b"))]);
    expect(saver.answer).toEqual(answer("a", "b"));
    expect(stage.sent[0]?.save).toBe("old");
    await stage.reply({ version: 1 });
    expect(stage.sent[1]).toMatchObject({ ...answer("a", "b"), version: 1 });
  });
  test("that had arrived, and was changed elsewhere since, gives way to what the server has", async () => {
    const saver = stage.saver({ version: 5, ranking: [["x"]], done: false }, [left()]);
    await stage.reply({ version: 1 });
    expect(saver.answer).toEqual(answer("x"));
    saver.change(answer("x", "y"));
    expect(stage.sent[1]?.version).toBe(5);
  });
  test("of two tabs goes one after the other, and the second asks", async () => {
    const other: Kept = { pending: { ...answer("b"), version: 0, save: "other" }, next: null };
    const saver = stage.saver(nothing, [left(), other]);
    await stage.reply({ version: 1 });
    expect(stage.sent[1]?.save).toBe("other");
    await stage.reply(problem(409, "ranking-conflict", { version: 1, ranking: [["a"]], done: false }));
    expect(saver.conflict?.mine).toEqual(answer("b"));
  });
  test("newer things of the server are taken only when nothing of ours is under way", async () => {
    const saver = stage.saver();
    saver.change(answer("a"));
    expect(saver.renew({ ...answer("x"), version: 9 })).toBe(false);
    await stage.reply({ version: 1 });
    expect(saver.renew({ ...answer("x"), version: 1 })).toBe(false);
    expect(saver.renew({ ...answer("x"), version: 2 })).toBe(true);
    expect(saver.answer).toEqual(answer("x"));
  });
});

describe("the store", () => {
  function memory(): Box {
    const map = new Map<string, string>();
    return {
      get length() {
        return map.size;
      },
      key: (i) => [...map.keys()][i] ?? null,
      getItem: (key) => map.get(key) ?? null,
      setItem: (key, value) => void map.set(key, value),
      removeItem: (key) => void map.delete(key),
    };
  }
  const kept = (save: string): Kept => ({ pending: { ...answer("a"), version: 0, save }, next: null });
  test("tabs do not write over each other, and the next one finds both", () => {
    const box = memory();
    const query = keyOf("tunes", "7", "1");
    new Store(box, "one").keep(query, [kept("s1")]);
    new Store(box, "two").keep(query, [kept("s2")]);
    expect(new Store(box, "three").adopt(query).map(({ pending }) => pending.save).sort()).toEqual(["s1", "s2"]);
    expect(box.length).toBe(1);
  });
  test("another participant's and another query's stay theirs", () => {
    const box = memory();
    const store = new Store(box, "one");
    store.keep(keyOf("tunes", "7", "1"), [kept("s1")]);
    store.keep(keyOf("tunes", "7", "12"), [kept("s2")]);
    store.keep(keyOf("tunes", "77", "3"), [kept("s3")]);
    expect(new Store(box, "two").adopt(keyOf("tunes", "7", "1")).map(({ pending }) => pending.save)).toEqual(["s1"]);
    expect(store.queries(keyOf("tunes", "7"))).toEqual([12, 1]);
  });
  test("what is broken is passed over, and a store that is full breaks nothing", () => {
    const box = memory();
    box.setItem(`${keyOf("tunes", "7", "1")}/x`, "{not json");
    box.setItem(`${keyOf("tunes", "7", "1")}/y`, '{"at":1,"kept":[{"pending":5},null]}');
    expect(new Store(box, "one").adopt(keyOf("tunes", "7", "1"))).toEqual([]);
    const full = { ...memory(), setItem: () => { throw new Error("full"); } };
    expect(() => new Store(full, "one").keep("q", [kept("s")])).not.toThrow();
    expect(new Store(null, "one").adopt("q")).toEqual([]);
  });
});
