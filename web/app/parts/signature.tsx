import type { JSX } from "preact";
import { alterations, type Signature } from "../pae/header";
import { t } from "../texts";

const kTimes = ["c", "c/", "2/4", "3/4", "4/4", "3/8", "6/8", "9/8", "12/8", "2/2", "3/2"];
const kMajor = ["C♭", "G♭", "D♭", "A♭", "E♭", "B♭", "F", "C", "G", "D", "A", "E", "B", "F♯", "C♯"];
const kMinor = ["a♭", "e♭", "b♭", "f", "c", "g", "d", "a", "e", "b", "f♯", "c♯", "g♯", "d♯", "a♯"];

const kKeys: string[] = [
  ...Array.from({ length: 7 }, (_, i) => `x${"FCGDAEB".slice(0, i + 1)}`),
  ...Array.from({ length: 7 }, (_, i) => `b${"BEADGCF".slice(0, i + 1)}`),
];

/** "2♯ · D, b" */
export function keyName(key: string): string {
  const signs = alterations(key).size;
  if (signs === 0) return key || t.query.none;
  const flat = key.startsWith("b");
  const place = 7 + (flat ? -signs : signs);
  return `${signs}${flat ? "♭" : "♯"} · ${kMajor[place]}, ${kMinor[place]}`;
}

interface Props {
  signature: Signature;
  disabled: boolean;
  change: (change: Partial<Signature>) => void;
}

interface Choice {
  label: string;
  value: string;
  options: [string, string][];
  disabled: boolean;
  chosen: (value: string) => void;
}

function Choice({ label, value, options, disabled, chosen }: Choice): JSX.Element {
  const known = value === "" || options.some(([one]) => one === value);
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} disabled={disabled} onChange={(event) => chosen(event.currentTarget.value)}>
        <option value="">{t.query.none}</option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        {!known && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

export const SignatureChoice = ({ signature, disabled, change }: Props): JSX.Element => (
  <>
    <Choice label={t.query.clef} value={signature.clef} options={Object.entries(t.query.clefs).map(([one, name]) => [one, `${one} · ${name}`])} disabled={disabled} chosen={(clef) => change({ clef })} />
    <Choice label={t.query.key} value={signature.key} options={kKeys.map((one) => [one, keyName(one)])} disabled={disabled} chosen={(key) => change({ key })} />
    <Choice label={t.query.time} value={signature.time} options={kTimes.map((one) => [one, one])} disabled={disabled} chosen={(time) => change({ time })} />
  </>
);
