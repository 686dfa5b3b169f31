import type { JSX } from "preact";
import { usePlayingKey } from "../hooks";
import { toggle } from "../playback/player";
import type { TimedNote } from "../playback/schedule";
import { common } from "../texts";
import { Icon } from "./icon";

interface Props {
  id: string;
  notes: readonly TimedNote[];
  what: string;
  /** Within a group that the Tab key enters only once. */
  tab?: number;
}

export function PlayButton({ id, notes, what, tab }: Props): JSX.Element {
  const on = usePlayingKey() === id;
  return (
    <button type="button" class={`play${on ? " on" : ""}`} tabIndex={tab} disabled={notes.length === 0} onClick={() => toggle(id, notes)}>
      <Icon name={on ? "stop" : "play"} />
      <span class="hidden">{on ? common.play.stopOf(what) : common.play.of(what)}</span>
    </button>
  );
}
