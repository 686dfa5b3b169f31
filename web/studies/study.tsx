import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api, type Invitation, type Participant, type Receipt, type Study } from "./api";
import { Codes, Invite } from "./invite";
import { useDoing } from "../shared/doing";
import { Scroller, Trouble, when } from "./parts";
import { t } from "./texts";

function Bars({ study, one }: { study: Study; one: Participant }): JSX.Element {
  return (
    <span class="bars">
      {study.queries.map((query, i) => {
        const share = query.candidates > 0 ? (one.ranked[i] ?? 0) / query.candidates : 0;
        const said = t.study.cell(query.number, one.ranked[i] ?? 0, query.candidates, one.done[i] ?? false);
        return (
          <svg key={query.number} class={one.done[i] ? "bar-done" : ""} viewBox="0 0 10 20" width={10} height={20} role="img" aria-label={said}>
            <title>{said}</title>
            <rect class="bar-frame" x={0.5} y={0.5} width={9} height={19} />
            <rect class="bar-fill" x={0.5} y={19.5 - 19 * Math.min(1, share)} width={9} height={19 * Math.min(1, share)} />
          </svg>
        );
      })}
    </span>
  );
}

function Participants({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const columns = t.study.columns;
  const [renewed, setRenewed] = useState<Invitation[]>([]);
  const { busy, problem, run } = useDoing();
  const renew = (number: number) =>
    run(async () => {
      const { invitations } = await api.invite(study.name, { again: [number] });
      setRenewed([...renewed.filter((one) => one.number !== number), ...invitations]);
    });
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const leaveOut = (number: number) => {
    const reason = window.prompt(t.study.leaveOutAsk)?.trim();
    if (!reason) return;
    void run(async () => {
      await api.leaveOut(study.name, number, reason);
      changed();
    });
  };
  const countAgain = (number: number) =>
    run(async () => {
      await api.leaveOut(study.name, number, "");
      changed();
    });
  const withdraw = (number: number) => {
    if (!window.confirm(t.study.withdrawAsk(number))) return;
    void run(async () => {
      setReceipt(await api.withdraw(study.name, number));
      changed();
    });
  };
  const about = (
    <>
      {receipt && <p role="status">{t.study.receipt(receipt.study, receipt.at, receipt.answers, receipt.moves)}</p>}
      {(study.withdrawn ?? 0) > 0 && <p class="note">{t.study.withdrawn(study.withdrawn ?? 0)}</p>}
    </>
  );
  if (study.participants.length === 0)
    return (
      <>
        <p class="note">{t.study.none}</p>
        {about}
      </>
    );
  return (
    <>
      <Scroller label={t.study.participants}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{columns.who}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.progress}</th>
              <th scope="col">{columns.joined}</th>
              <th scope="col">{columns.seen}</th>
              <th scope="col">{t.study.care}</th>
              <th scope="col">{t.study.people}</th>
              {study.state !== "closed" && (
                <th scope="col">
                  <span class="hidden">{t.study.newCode}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {study.participants.map((one) => (
              <tr key={one.number}>
                <th scope="row">
                  <span class="note">{one.number}</span> {one.label}
                </th>
                <td>
                  <span class={`mark${one.finished ? " done" : ""}`}>{one.finished ? t.study.finished : one.ranked.some((n) => n > 0) ? t.study.begun : one.consented ? t.study.consented : t.study.invited}</span>
                </td>
                <td>
                  <Bars study={study} one={one} />
                </td>
                <td>{when(one.joined)}</td>
                <td>{when(one.last_seen)}</td>
                <td class="note">{one.care ? t.study.careOf(one.care) : "–"}</td>
                <td>
                  {one.excluded ? (
                    <>
                      <span class="note">{t.study.leftOut(one.excluded)}</span>{" "}
                      <button type="button" class="text" disabled={busy} aria-label={t.study.countAgainFor(one.number)} onClick={() => countAgain(one.number)}>
                        {t.study.countAgain}
                      </button>
                    </>
                  ) : (
                    <button type="button" class="text" disabled={busy} aria-label={t.study.leaveOutFor(one.number)} onClick={() => leaveOut(one.number)}>
                      {t.study.leaveOut}
                    </button>
                  )}{" "}
                  <button type="button" class="text" disabled={busy} aria-label={t.study.withdrawFor(one.number)} onClick={() => withdraw(one.number)}>
                    {t.study.withdraw}
                  </button>
                </td>
                {study.state !== "closed" && (
                  <td>
                    <button type="button" class="text" disabled={busy} aria-label={t.study.newCodeFor(one.number)} onClick={() => renew(one.number)}>
                      {t.study.newCode}
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <Trouble problem={problem} />
      {about}
      {renewed.length > 0 && (
        <>
          <p class="note">{t.study.newCodeHint}</p>
          <Codes study={study} list={renewed} />
      </>
    )}
    </>
  );
}

function StateChange({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const [sure, setSure] = useState(false);
  const { busy, problem, run } = useDoing();
  const set = (state: "open" | "closed") =>
    run(async () => {
      await api.change(study.name, { state });
      setSure(false);
      changed();
    });
  return (
    <div class="state-change">
      {study.state === "draft" && <p class="note">{t.study.openHint}</p>}
      <Trouble problem={problem} />
      {sure ? (
        <div class="row" role="group" aria-label={t.study.close}>
          <p role="status">{t.study.closeAsk}</p>
          <button type="button" class="main" disabled={busy} onClick={() => set("closed")}>
            {t.study.closeYes}
          </button>
          <button type="button" onClick={() => setSure(false)}>
            {t.study.no}
          </button>
        </div>
      ) : study.state === "open" ? (
        <button type="button" onClick={() => setSure(true)}>
          {t.study.close}
        </button>
      ) : (
        <button type="button" class={study.state === "draft" ? "main" : ""} disabled={busy} onClick={() => set("open")}>
          {study.state === "draft" ? t.study.open : t.study.reopen}
        </button>
      )}
    </div>
  );
}

function Texts({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const [title, setTitle] = useState(study.title);
  const [instructions, setInstructions] = useState(study.instructions);
  const [consent, setConsent] = useState(study.consent);
  const [ties, setTies] = useState(study.ties);
  const [said, setSaid] = useState("");
  const { busy, problem, run } = useDoing();
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await api.change(study.name, { title, instructions, consent, ...(study.state === "draft" && { ties }) });
      setSaid(t.study.saved);
      changed();
    });
  };
  return (
    <details class="texts">
      <summary>{t.study.settings}</summary>
      <form class="sheet" onSubmit={submit} onInput={() => setSaid("")}>
        <label class="field">
          <span>{t.create.heading}</span>
          <input type="text" required value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t.create.instructions}</span>
          <textarea rows={10} value={instructions} onInput={(event) => setInstructions(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t.create.consent}</span>
          <textarea rows={4} value={consent} onInput={(event) => setConsent(event.currentTarget.value)} />
        </label>
        <label class="tick">
          <input type="checkbox" checked={ties} disabled={study.state !== "draft"} onChange={(event) => setTies(event.currentTarget.checked)} />
          <span>{t.create.ties}</span>
        </label>
        <Trouble problem={problem} />
        <div class="row">
          <button type="submit" class="main" disabled={busy}>
            {t.study.save}
          </button>
          <span role="status">{said}</span>
        </div>
      </form>
    </details>
  );
}

function ImportVotes({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const [said, setSaid] = useState("");
  const { busy, problem, run } = useDoing();
  const choose = (event: JSX.TargetedEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    setSaid("");
    void run(async () => {
      const { participants, votes } = await api.importVotes(study.name, await file.text());
      setSaid(t.study.imported(participants, votes));
      changed();
    }).then(() => (input.value = ""));
  };
  return (
    <div class="import-votes">
      <label class="field">
        <span>{t.study.importVotes}</span>
        <input type="file" accept=".csv,text/csv" disabled={busy} aria-describedby="import-hint" onChange={choose} />
        <small id="import-hint">{t.study.importHint}</small>
      </label>
      <Trouble problem={problem} />
      <p role="status">{said}</p>
    </div>
  );
}

export function StudyPage({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const finished = study.participants.filter((one) => one.finished).length;
  const link = (what: string, name: string) => (
    <a class="button" href={api.download(study.name, what)} download>
      {name}
    </a>
  );
  return (
    <>
      <StateChange study={study} changed={changed} />
      <section aria-labelledby="people-title">
        <div class="heading-row">
          <h2 id="people-title">
            {t.study.participants} <span class="note">{t.study.progress(finished, study.participants.length)}</span>
          </h2>
          <button type="button" onClick={changed}>
            {t.study.refresh}
          </button>
        </div>
        <Participants study={study} changed={changed} />
      </section>
      {study.state !== "closed" && <Invite study={study} changed={changed} />}
      <section aria-labelledby="queries-title">
        <h2 id="queries-title">{t.study.queries}</h2>
        <ol class="query-list">
          {study.queries.map((query) => (
            <li key={query.number}>
              {query.label} <span class="note">{t.study.candidates(query.candidates)}</span>
            </li>
          ))}
        </ol>
      </section>
      <Texts study={study} changed={changed} />
      <section aria-labelledby="downloads-title">
        <h2 id="downloads-title">{t.study.downloads}</h2>
        <div class="row">
          {link("/votes?format=csv", t.study.votesCsv)}
          {link("/votes?format=json", t.study.votesJson)}
          {link("/export", t.study.whole)}
        </div>
        <ImportVotes study={study} changed={changed} />
      </section>
    </>
  );
}
