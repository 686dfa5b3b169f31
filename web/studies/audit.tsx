import type { JSX } from "preact";
import { useAsked } from "../shared/hooks";
import { api, type AuditEntry, type Study } from "./api";
import { Scroller, Trouble, when } from "./parts";
import { t } from "./texts";

const entriesOf = (data: Awaited<ReturnType<typeof api.audit>>): AuditEntry[] => (Array.isArray(data) ? data : (data.audit ?? data.entries ?? []));

const said = (detail: unknown): string => (typeof detail === "string" ? detail : detail === null || detail === undefined ? "" : JSON.stringify(detail));

export function AuditPage({ study }: { study: Study }): JSX.Element {
  const { data, problem } = useAsked(study.name, 0, () => api.audit(study.name));
  const entries = data ? entriesOf(data) : [];
  const columns = t.audit.columns;
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title">{t.audit.title}</h2>
      <Trouble problem={problem} />
      {data && entries.length === 0 && <p class="note">{t.audit.none}</p>}
      {entries.length > 0 && (
        <Scroller label={t.audit.title}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">{columns.at}</th>
                <th scope="col">{columns.who}</th>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.detail}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((one, i) => (
                <tr key={i}>
                  <td>{when(one.at)}</td>
                  <td>{one.who}</td>
                  <td>{one.what}</td>
                  <td class="detail">{said(one.detail)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
    </section>
  );
}
