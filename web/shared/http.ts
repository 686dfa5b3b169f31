// Questions to the server, and problems as values one can show.

export const kRoot = "/api/v1";

export interface Problem {
  status: number;
  title: string;
  detail: string;
  code: string;
  /** 1-based, in the text that was sent. */
  column?: number;
  hint?: string;
  /** Seconds after which asking again is worth while. */
  after?: number;
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

export const problemOf = (error: unknown): Problem =>
  error instanceof ApiError ? error.problem : { status: 0, title: "", detail: String(error), code: "page" };

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?:]$/.test(text) ? "" : ".");

/** What went wrong and what can be done, as sentences. */
export const told = ({ detail, title, hint }: Problem): string => [detail || title, hint ?? ""].filter(Boolean).map(sentence).join(" ");

async function problemIn(response: Response): Promise<Problem> {
  const after = Number(response.headers.get("Retry-After"));
  const standard = { status: response.status, title: response.statusText, detail: "", code: "http", ...(after > 0 && { after }) };
  try {
    return { ...standard, ...(await response.json()) };
  } catch {
    return standard;
  }
}

export async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(kRoot + path, { ...options, headers: { Accept: "application/json", ...options.headers } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError({ status: 0, title: "", detail: "", code: "offline" });
  }
  if (!response.ok) throw new ApiError(await problemIn(response));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A question that changes something: `csrf` is the session's own word, which no other site can know. */
export const send = <T>(method: "POST" | "PUT" | "PATCH", path: string, body: unknown, csrf = "", options: RequestInit = {}): Promise<T> =>
  ask<T>(path, {
    ...options,
    method,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...(csrf && { "X-Rondo-Csrf": csrf }) },
  });
