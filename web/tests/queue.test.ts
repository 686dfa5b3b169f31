import { describe, expect, test } from "vitest";
import { Queue } from "../shared/engrave/queue";

/** A job that waits to be finished by hand, and writes down when it was begun. */
function jobs() {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const job = (key: string, urgent = false) => ({
    key,
    urgent,
    run: () => {
      begun.push(key);
      return new Promise<string>((done) => finish.set(key, () => done(key.toUpperCase())));
    },
  });
  const done = async (key: string) => {
    finish.get(key)?.();
    for (let i = 0; i < 10; ++i) await Promise.resolve();
  };
  return { begun, job, done };
}

describe("the queue of the engraver", () => {
  test("does one at a time, urgent ones before the others", async () => {
    const { begun, job, done } = jobs();
    const queue = new Queue<string>();
    for (const key of ["a", "b", "c"]) void queue.get(job(key));
    void queue.get(job("query", true));
    expect(begun).toEqual(["a"]);
    await done("a");
    expect(begun).toEqual(["a", "query"]);
    await done("query");
    await done("b");
    expect(begun).toEqual(["a", "query", "b", "c"]);
  });
  test("makes a thing once, however many wish it, and keeps it", async () => {
    const { begun, job, done } = jobs();
    const queue = new Queue<string>();
    const both = Promise.all([queue.get(job("a")), queue.get(job("a"))]);
    await done("a");
    expect(await both).toEqual(["A", "A"]);
    expect(await queue.get(job("a"))).toBe("A");
    expect(queue.peek("a")).toBe("A");
    expect(begun).toEqual(["a"]);
  });
  test("never begins what nobody waits for any more", async () => {
    const { begun, job, done } = jobs();
    const queue = new Queue<string>();
    let gone = false;
    void queue.get(job("a"));
    void queue.get(job("b"), () => gone);
    void queue.get(job("c"));
    gone = true;
    await done("a");
    expect(begun).toEqual(["a", "c"]);
  });
  test("forgets the oldest beyond its size", async () => {
    const queue = new Queue<string>(2);
    for (const key of ["a", "b", "c"]) await queue.get({ key, urgent: false, run: async () => key });
    expect([queue.peek("a"), queue.peek("b"), queue.peek("c")]).toEqual([undefined, "b", "c"]);
  });
  test("goes on after a failure, which it does not keep", async () => {
    const queue = new Queue<string>();
    await expect(queue.get({ key: "a", urgent: false, run: () => Promise.reject(new Error("no")) })).rejects.toThrow("no");
    expect(await queue.get({ key: "a", urgent: false, run: async () => "yes" })).toBe("yes");
  });
});
