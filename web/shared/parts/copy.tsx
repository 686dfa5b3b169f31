import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { common } from "../texts";
import { Icon } from "./icon";

/** Without a secure context there is no clipboard to write to; a selection can still be copied by hand. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

interface Props {
  text: string;
  what: string;
  /** The words on the button; only a picture without them. */
  label?: string;
}

export function Copy({ text, what, label }: Props): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await toClipboard(text))) return;
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class={label ? "copy worded" : "copy"} title={common.copy.copy(what)} onClick={copy}>
      <Icon name="copy" />
      {label ? <span>{label}</span> : <span class="hidden">{common.copy.copy(what)}</span>}
      <span class="copied" role="status">
        {done ? common.copy.copied : ""}
      </span>
    </button>
  );
}
