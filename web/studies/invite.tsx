import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Copy } from "../shared/parts/copy";
import { Icon } from "../shared/parts/icon";
import { api, type Invitation, type Study } from "./api";
import { csvOf } from "./csv";
import { useDoing } from "../shared/doing";
import { saveAs, Scroller, Trouble } from "./parts";
import { t } from "./texts";

const linkOf = ({ path }: { path: string }): string => location.origin + path;

export function Codes({ study, list }: { study: Study; list: Invitation[] }): JSX.Element {
  const rows = list.map((one) => [one.number, one.label ?? "", one.code, linkOf(one)]);
  const download = () => saveAs(`${study.name}-codes.csv`, csvOf([["participant", "label", "code", "link"], ...rows]), "text/csv;charset=utf-8");
  return (
    <div class="codes" role="status">
      <p class="banner">{t.invite.once}</p>
      <div class="row">
        <button type="button" class="tool wide" onClick={download}>
          <Icon name="download" /> {t.invite.csv}
        </button>
        <Copy text={list.map((one) => `${one.label ?? one.number}\t${one.code}\t${linkOf(one)}`).join("\n")} what={t.invite.columns.code} label={t.invite.copyAll} />
      </div>
      <Scroller label={t.invite.title}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t.invite.columns.label}</th>
              <th scope="col">{t.invite.columns.code}</th>
              <th scope="col">{t.invite.columns.link}</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.number}>
                <th scope="row">{one.label || one.number}</th>
                <td>
                  <code>{one.code}</code>
                </td>
                <td>
                  <Copy text={linkOf(one)} what={`${t.invite.columns.link} ${one.label || one.number}`} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </div>
  );
}

function OpenLink({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const [link, setLink] = useState("");
  const { busy, problem, run } = useDoing();
  const turn = (enabled: boolean) =>
    run(async () => {
      const { path } = await api.openLink(study.name, enabled);
      setLink(enabled && path ? linkOf({ path }) : "");
      changed();
    });
  return (
    <div class="open-link">
      <h3>{t.invite.link}</h3>
      <p class="note">
        {t.invite.linkHint} {study.open_link && t.invite.linkActive}
      </p>
      {link && (
        <p role="status">
          {t.invite.linkOnce} <span class="address">{link}</span> <Copy text={link} what={t.invite.link} />
        </p>
      )}
      <Trouble problem={problem} />
      <div class="row">
        <button type="button" disabled={busy} onClick={() => turn(true)}>
          {study.open_link ? t.invite.linkNew : t.invite.linkOn}
        </button>
        {study.open_link && (
          <button type="button" disabled={busy} onClick={() => turn(false)}>
            {t.invite.linkOff}
          </button>
        )}
      </div>
    </div>
  );
}

export function Invite({ study, changed }: { study: Study; changed: () => void }): JSX.Element {
  const [labels, setLabels] = useState("");
  const [count, setCount] = useState("");
  const [made, setMade] = useState<Invitation[]>([]);
  const { busy, problem, run } = useDoing();
  const list = labels.split("\n").map((line) => line.trim()).filter(Boolean);
  const number = Number(count);
  const possible = list.length > 0 || (Number.isInteger(number) && number > 0 && number <= 1000);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!possible) return;
    void run(async () => {
      const { invitations } = await api.invite(study.name, list.length > 0 ? { labels: list } : { count: number });
      setMade([...made, ...invitations]);
      setLabels("");
      setCount("");
      changed();
    });
  };
  return (
    <section aria-labelledby="invite-title">
      <h2 id="invite-title">{t.invite.title}</h2>
      <form class="invite-form" onSubmit={submit}>
        <label class="field">
          <span>{t.invite.labels}</span>
          <textarea rows={3} value={labels} aria-describedby="labels-hint" onInput={(event) => setLabels(event.currentTarget.value)} />
          <small id="labels-hint">{t.invite.labelsHint}</small>
        </label>
        <label class="field short">
          <span>{t.invite.count}</span>
          <input type="text" inputMode="numeric" value={count} disabled={list.length > 0} onInput={(event) => setCount(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main" disabled={busy || !possible}>
          {t.invite.go}
        </button>
      </form>
      <Trouble problem={problem} />
      {made.length > 0 && <Codes study={study} list={made} />}
      <OpenLink study={study} changed={changed} />
    </section>
  );
}
