import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf, told } from "../shared/http";
import { api, type Decision, type Group, type Member, type Verdict } from "./api";
import { speech, t } from "./texts";

const listed = (parts: readonly string[]): string => parts.filter(Boolean).join(", ");

/** The page describes a staff in its own language; the drawing itself is then not read out. */
const withoutLabel = (svg: string): string => svg.replace(/ role="img" aria-label="[^"]*"/, ' aria-hidden="true"');

const nameOf = ({ id, voice }: Member): string => (voice > 0 ? `${id}, ${t.groups.voice(voice + 1)}` : id);

/** Accept or reject, with a note: on the disk as soon as it is said to be saved. */
function Deciding({ member, centre }: { member: Member; centre: Member }): JSX.Element {
  const [decided, setDecided] = useState<Decision | null>(member.decision);
  const [note, setNote] = useState(member.decision?.note ?? "");
  const [said, setSaid] = useState("");
  const [failed, setFailed] = useState(false);
  const decide = async (verdict: Verdict) => {
    try {
      const { decision } = await api.decide(member, centre, verdict, verdict === "open" ? "" : note);
      setDecided(decision);
      if (!decision) setNote("");
      setFailed(false);
      setSaid(t.decide.saved);
    } catch (error) {
      setFailed(true);
      setSaid(told(problemOf(error)) || t.offline);
    }
  };
  const button = (verdict: "accepted" | "rejected", name: string) => (
    <button type="button" aria-pressed={decided?.decision === verdict} aria-label={`${name}: ${nameOf(member)}`} onClick={() => decide(decided?.decision === verdict ? "open" : verdict)}>
      {name}
    </button>
  );
  return (
    <div class="deciding">
      <span class="row">
        {button("accepted", t.decide.accept)}
        {button("rejected", t.decide.reject)}
      </span>
      <label class="note-field">
        <span class="hidden">{t.decide.noteFor(nameOf(member))}</span>
        <input
          type="text"
          maxLength={1000}
          placeholder={t.decide.note}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
          onChange={() => {
            if (decided && note !== decided.note) void decide(decided.decision);
          }}
        />
      </label>
      <span class={failed ? "problem" : "note"} role="status">
        {said}
      </span>
    </div>
  );
}

/** What was decided, for those who only read. */
const Decided = ({ decision: { decision, note } }: { decision: Decision }): JSX.Element => (
  <p class="decided">
    <strong>{t.decide[decision]}</strong> {note}
  </p>
);

interface MemberProps {
  member: Member;
  centre: Member;
  others: number;
  editor: boolean;
}

function MemberView({ member, centre, others, editor }: MemberProps): JSX.Element {
  const { notes } = member;
  return (
    <li class="member">
      <div class="source">
        <p class="id">
          <a href={`/?show=${encodeURIComponent(member.id)}&id=${encodeURIComponent(member.id)}`}>{nameOf(member)}</a>
        </p>
        <p>{listed([member.composer, member.title])}</p>
        <p class="note">{listed([member.library, member.shelfmark, member.year])}</p>
        <p class="note">{member.centre ? t.groups.centre : t.groups.evidence(member.partners, others, member.best, speech.number(member.score, 2), member.probability === null ? "" : speech.percent(member.probability))}</p>
      </div>
      <div class="staff" role="img" tabIndex={0} aria-label={t.groups.staff(notes.same, notes.other, notes.added, notes.missing)} dangerouslySetInnerHTML={{ __html: withoutLabel(member.staff) }} />
      {!member.centre && editor && <Deciding member={member} centre={centre} />}
      {!member.centre && !editor && member.decision && <Decided decision={member.decision} />}
    </li>
  );
}

export function GroupView({ group, editor }: { group: Group; editor: boolean }): JSX.Element | null {
  const centre = group.members.find((one) => one.centre);
  if (!centre) return null;
  const size = group.members.length;
  const title = `group-${group.number}`;
  const ordered = [centre, ...group.members.filter((one) => one !== centre)];
  return (
    <article class="group" aria-labelledby={title}>
      <h2 id={title}>{t.groups.group(group.number, size)}</h2>
      <p class="note">{t.groups.pairs(group.pairs, (size * (size - 1)) / 2, group.probability === null ? "" : speech.percent(group.probability))}</p>
      <ul>
        {ordered.map((member) => (
          <MemberView key={`${member.id} ${member.voice}`} member={member} centre={centre} others={size - 1} editor={editor} />
        ))}
      </ul>
    </article>
  );
}
