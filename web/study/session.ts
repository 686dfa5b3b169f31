// A participant's visit: who it is, what has been loaded, and what is on its way to the server.

import { problemOf, type Problem } from "../shared/http";
import { Server, type Me, type Query } from "./api";
import { cleaned } from "./order";
import { Saver } from "./saver";
import { browserBox, keyOf, randomWord, Store } from "./store";

const kCode = "code";

export class Session {
  readonly server: Server;
  readonly store: Store;
  me: Me | null = null;
  private readonly box = browserBox();
  private readonly queries = new Map<number, Query>();
  private readonly savers = new Map<number, Saver>();
  private readonly listeners = new Set<() => void>();

  constructor(readonly study: string) {
    this.server = new Server(study);
    this.store = new Store(this.box, randomWord());
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The personal code, while this browser knows it. */
  get code(): string {
    return this.box?.getItem(keyOf(this.study, kCode)) ?? "";
  }

  set code(code: string) {
    if (code) this.box?.setItem(keyOf(this.study, kCode), code);
    else this.box?.removeItem(keyOf(this.study, kCode));
  }

  /** Who is here; and what an earlier visit could not send goes out now. */
  async enter(): Promise<Me> {
    this.me = await this.server.me();
    for (const saver of this.savers.values()) saver.retry();
    for (const number of this.store.queries(this.prefix)) void this.load(number).catch(() => undefined);
    return this.me;
  }

  async refresh(): Promise<void> {
    this.me = await this.server.me();
    this.tell();
  }

  async load(number: number): Promise<{ query: Query; saver: Saver }> {
    const before = this.queries.get(number);
    const saver = this.savers.get(number);
    if (before && saver) return { query: before, saver };
    const query = await this.server.query(number);
    // Somebody else may have waited for the same.
    const made = this.savers.get(number) ?? this.saverFor(query);
    this.queries.set(number, query);
    this.savers.set(number, made);
    return { query, saver: made };
  }

  saver(number: number): Saver | undefined {
    return this.savers.get(number);
  }

  /** Takes what another window or device has saved, if nothing here is under way. */
  async renew(number: number): Promise<boolean> {
    const saver = this.savers.get(number);
    if (!saver?.settled) return false;
    const query = await this.server.query(number);
    return saver.renew({ ...query, ranking: known(query) });
  }

  retry(): void {
    for (const saver of this.savers.values()) saver.retry();
  }

  get unsent(): boolean {
    return [...this.savers.values()].some((saver) => !saver.settled) || this.store.queries(this.prefix).length > 0;
  }

  async leave(): Promise<Problem | null> {
    try {
      await this.server.leave();
    } catch (error) {
      return problemOf(error);
    }
    this.code = "";
    return null;
  }

  /** Another person's page begins empty. */
  forget(): void {
    this.me = null;
    this.queries.clear();
    this.savers.clear();
  }

  private get prefix(): string {
    return keyOf(this.study, String(this.me?.participant ?? "me"));
  }

  private saverFor(query: Query): Saver {
    const { number } = query;
    const key = `${this.prefix}/${number}`;
    return new Saver(
      {
        post: (save) => this.server.save(number, save),
        keep: (kept) => this.store.keep(key, kept),
        later: (act, milliseconds) => {
          const timer = setTimeout(act, milliseconds);
          return () => clearTimeout(timer);
        },
        word: randomWord,
        changed: () => this.tell(),
      },
      { ...query, ranking: known(query) },
      this.store.adopt(key),
    );
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

const known = (query: Query) =>
  cleaned(
    query.ranking,
    query.candidates.map(({ code }) => code),
  );
