// The API for people: what can be asked, with examples that run here.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked } from "../../shared/hooks";
import { ask, told } from "../../shared/http";
import { t } from "../texts";

interface Parameter {
  name: string;
  in?: string;
  description?: string;
  required?: boolean;
  schema?: { default?: unknown };
}

interface Operation {
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  responses?: Record<string, { description?: string }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
}

/** What a first try may look like; each is an address of this server. */
const kExamples: Record<string, string> = {
  "/api/v1/collection": "/api/v1/collection",
  "/api/v1/systems": "/api/v1/systems",
  "/api/v1/query": "/api/v1/query?q='4FFGA/AGFE/",
  "/api/v1/search": "/api/v1/search?q='4FFGA/AGFE/&k=3",
  "/api/v1/funnel": "/api/v1/funnel?steps=step: long%0Akeep: notes >= 12",
};
/** What is sent by POST, and where. */
const kPosts: Record<string, { address: string; type: string; body: string }> = {
  "/api/v1/query": { address: "/api/v1/query", type: "application/octet-stream", body: "X:1\nT:A tune\nK:G\nG2AB c2BA|" },
  "/api/v1/convert": { address: "/api/v1/convert?as=pae", type: "application/octet-stream", body: "X:1\nT:A tune\nK:G\nG2AB c2BA|" },
  "/api/v1/search": { address: "/api/v1/search", type: "application/json", body: '{"q": "do re mi do do re mi do", "k": 3}' },
};
const kLongest = 4000; // characters of an answer that are shown
// Studies have pages of their own, and a session.
const kElsewhere = /\/(stud(y|ies)|login|logout|me|candidates)(\/|$)/;

/** JSON in lines, other texts as they are. */
async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  return /json/.test(response.headers.get("Content-Type") ?? "") ? JSON.stringify(JSON.parse(text), null, 1) : text;
}

function Try({ address, sent }: { address: string; sent?: { type: string; body: string } }): JSX.Element {
  const [answer, setAnswer] = useState("");
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const options: RequestInit = sent ? { method: "POST", headers: { "Content-Type": sent.type }, body: sent.body } : { headers: { Accept: "application/json" } };
      const text = await textOf(await fetch(encodeURI(address).replace(/%25(?=[0-9A-F]{2})/g, "%"), options));
      setAnswer(text.length > kLongest ? `${text.slice(0, kLongest)}\n…` : text);
    } catch {
      setAnswer(t.offline);
    }
    setBusy(false);
  };
  return (
    <div class="try">
      <p class="row">
        <code class="address">
          {sent ? "POST" : "GET"} {address}
          {sent && <span class="sent">{sent.body}</span>}
        </code>
        <button type="button" disabled={busy} onClick={() => void run()}>
          {t.api.run}
          <span class="hidden">
            : {sent ? "POST" : "GET"} {address}
          </span>
        </button>
      </p>
      {answer && (
        <pre role="region" tabIndex={0} aria-label={`${t.api.answer}: ${sent ? "POST" : "GET"} ${address}`}>
          {answer}
        </pre>
      )}
    </div>
  );
}

function OperationOf({ method, path, operation }: { method: string; path: string; operation: Operation }): JSX.Element {
  const parameters = operation.parameters ?? [];
  const example = method === "get" ? kExamples[path] : undefined;
  const post = method === "post" ? kPosts[path] : undefined;
  return (
    <section class="operation">
      <h2 lang="en">{operation.summary || path}</h2>
      <p>
        <code class="address">
          {method.toUpperCase()} {path}
        </code>
      </p>
      {operation.description && <p lang="en">{operation.description}</p>}
      {example && <Try address={example} />}
      {post && <Try address={post.address} sent={post} />}
      {parameters.length > 0 && (
        <details>
          <summary>{t.api.parameters}</summary>
          <dl class="parameters">
            {parameters.map(({ name, description, required, schema }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                  {required && <small> {t.api.required}</small>}
                  {schema?.default !== undefined && <small> = {String(schema.default)}</small>}
                </dt>
                <dd lang="en">{description}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

export function ApiPage(): JSX.Element {
  const { data, problem } = useAsked("openapi", 0, () => ask<Description>("/openapi.json"));
  const rows = Object.entries(data?.paths ?? {})
    .filter(([path]) => path.startsWith("/api/") && !kElsewhere.test(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ method }) => ["get", "post", "put", "patch", "delete"].includes(method));
  return (
    <section class="api-page" aria-labelledby="api-title">
      <h1 id="api-title">{t.api.title}</h1>
      <p class="lead">{t.api.lead}</p>
      <p>
        <a href="/api/v1/openapi.json">{t.api.document}</a>
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem.code === "offline" ? t.offline : told(problem)}
        </p>
      )}
      {rows.map(({ path, method, operation }) => (
        <OperationOf key={`${method} ${path}`} method={method} path={path} operation={operation} />
      ))}
    </section>
  );
}
