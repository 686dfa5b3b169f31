// Orders wait here and go to the worker one at a time: urgent ones first, the others as they came. An order whose wishers
// have all gone is never begun, and what was made is kept for the next who asks.

export interface Job<Result> {
  key: string;
  urgent: boolean;
  run: () => Promise<Result>;
}

interface Waiting<Result> extends Job<Result> {
  wishers: { done: (result: Result) => void; failed: (reason: unknown) => void; gone: () => boolean }[];
}

export class Queue<Result> {
  private readonly cache = new Map<string, Result>();
  private readonly waiting: Waiting<Result>[] = [];
  private running: Waiting<Result> | null = null;

  constructor(private readonly kept = 300) {}

  /** What was made before, at once. */
  peek(key: string): Result | undefined {
    return this.cache.get(key);
  }

  get(job: Job<Result>, gone: () => boolean = () => false): Promise<Result> {
    const made = this.cache.get(job.key);
    if (made !== undefined) {
      this.cache.delete(job.key);
      this.cache.set(job.key, made);
      return Promise.resolve(made);
    }
    return new Promise((done, failed) => {
      const same = this.running?.key === job.key ? this.running : this.waiting.find(({ key }) => key === job.key);
      if (same) same.wishers.push({ done, failed, gone });
      else this.waiting.push({ ...job, wishers: [{ done, failed, gone }] });
      this.next();
    });
  }

  private take(): Waiting<Result> | undefined {
    for (let i = this.waiting.length - 1; i >= 0; --i)
      if (this.waiting[i]?.wishers.every(({ gone }) => gone())) this.waiting.splice(i, 1);
    const urgent = this.waiting.findIndex((one) => one.urgent);
    return this.waiting.splice(Math.max(0, urgent), 1)[0];
  }

  private next(): void {
    if (this.running) return;
    const job = this.take();
    if (!job) return;
    this.running = job;
    job
      .run()
      .then(
        (result) => {
          this.cache.set(job.key, result);
          const oldest = this.cache.keys().next().value;
          if (this.cache.size > this.kept && oldest !== undefined) this.cache.delete(oldest);
          for (const { done } of job.wishers) done(result);
        },
        (reason: unknown) => {
          for (const { failed } of job.wishers) failed(reason);
        },
      )
      .finally(() => {
        this.running = null;
        this.next();
      });
  }
}
