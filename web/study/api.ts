// The server as a participant meets it. Nothing here has a title or a name: melodies go by random codes.

import { ask, problemOf, send, type Problem } from "../shared/http";
import type { TimedNote } from "../shared/playback/schedule";
import type { Ranking } from "./order";
import type { Outcome } from "./saver";
import type { Answer, Save } from "./store";

export interface Piece {
  mei: string;
  notes: TimedNote[];
}

export interface Candidate extends Piece {
  code: string;
}

export interface Query extends Answer {
  number: number;
  query: Piece;
  candidates: Candidate[];
  ranking: Ranking;
  version: number;
  ties: boolean;
}

export interface Progress {
  number: number;
  ranked: number;
  total: number;
  done: boolean;
}

export interface Background {
  years: number | null;
  instruments: string[];
  remarks: string;
}

export interface Me {
  csrf: string;
  participant?: string | number;
  study: { title: string; instructions: string; consent: string; ties: boolean; state: "draft" | "open" | "closed" };
  consented: boolean;
  background: Background | null;
  queries: Progress[];
}

export interface Joined {
  csrf: string;
  /** Only when the open link made a new participant: the way back. */
  code?: string;
}

export class Server {
  private csrf = "";
  private readonly root: string;

  constructor(study: string) {
    this.root = `/study/${encodeURIComponent(study)}`;
  }

  async me(): Promise<Me> {
    const me = await ask<Me>(`${this.root}/me`, { cache: "no-store" });
    this.csrf = me.csrf;
    return me;
  }

  async join(by: { code: string } | { link: string }): Promise<Joined> {
    const joined = await send<Joined>("POST", `${this.root}/join`, by);
    this.csrf = joined.csrf;
    return joined;
  }

  query = (number: number): Promise<Query> => ask<Query>(`${this.root}/me/queries/${number}`, { cache: "no-store" });
  consent = (): Promise<unknown> => send("PUT", `${this.root}/me/consent`, { agreed: true }, this.csrf);
  background = (answers: Background): Promise<unknown> => send("PUT", `${this.root}/me/background`, answers, this.csrf);
  leave = (): Promise<unknown> => send("POST", `${this.root}/me/leave`, {}, this.csrf);

  /** Sends a ranking. The session may have been renewed elsewhere, so its word is asked for once more before giving up. */
  async save(number: number, { version, save, ranking, done }: Save): Promise<Outcome> {
    const put = () =>
      send<{ version: number }>("PUT", `${this.root}/me/queries/${number}/ranking`, { version, save, ranking, done }, this.csrf, {
        keepalive: true,
      });
    try {
      try {
        return await put();
      } catch (error) {
        if (!problemOf(error).code.startsWith("csrf")) throw error;
        await this.me();
        return await put();
      }
    } catch (error) {
      return { problem: problemOf(error) as Problem & Partial<Answer & { version: number }> };
    }
  }
}
