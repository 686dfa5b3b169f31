import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../shared/parts/icon";
import { defaultSystem, type Found, type System } from "../api";
import type { Update } from "../hooks";
import { chosenFacets, emptyState, kFacets, kModes, kMostBeside, kSwitches, type Facet, type Mode, type State } from "../state";
import { t } from "../texts";

interface Props {
  state: State;
  update: Update;
  systems: System[];
  found: Found | null;
}

const kShown = 8;

function About({ system }: { system: System }): JSX.Element {
  const sure = (Object.keys(t.refine.invariant) as (keyof System["invariant"])[]).filter((name) => system.invariant?.[name]);
  const [brief = "", more] = system.explanation.split(/(?<=\.) (.*)/s);
  return (
    <div class="about-system">
      <p lang="en">{brief}</p>
      <p class="chips">
        {sure.map((name) => (
          <span key={name}>{t.refine.invariant[name]}</span>
        ))}
        <span>{t.refine.shortest(system.shortest)}</span>
        {typeof system.published_adr === "number" && <span>{t.refine.adr(system.published_adr)}</span>}
      </p>
      <details>
        <summary>{t.refine.more}</summary>
        {more && <p lang="en">{more}</p>}
        <p class="note" lang="en">
          {system.reference}
        </p>
        <p class="note">{t.refine.evidence[system.evidence] ?? system.evidence}</p>
        {system.evidence_note && (
          <p class="note" lang="en">
            {system.evidence_note}
          </p>
        )}
      </details>
    </div>
  );
}

/** What to look for, in plain words; only what this server has. */
function Modes({ state, update, systems }: Omit<Props, "found">): JSX.Element {
  const standard = defaultSystem(systems)?.name ?? "";
  const system = state.system === standard ? "" : state.system;
  const offered = (Object.keys(kModes) as Mode[]).filter((mode) => kModes[mode] === "" || systems.some(({ name }) => name === kModes[mode]));
  return (
    <fieldset class="modes">
      <legend>{t.refine.mode}</legend>
      {offered.map((mode) => (
        <label key={mode}>
          <input type="radio" name="mode" checked={system === kModes[mode]} onChange={() => update({ system: kModes[mode], set: {}, offset: 0, beside: state.beside.filter((name) => name !== kModes[mode]) })} />
          <span>
            {t.refine.modes[mode]} <small>{t.refine.modeHints[mode]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Systems({ state, update, systems }: Omit<Props, "found">): JSX.Element {
  const current = systems.find(({ name }) => name === state.system) ?? defaultSystem(systems);
  const others = systems.filter(({ name }) => name !== current?.name && !state.beside.includes(name));
  return (
    <fieldset>
      <legend>{t.refine.system}</legend>
      <label>
        <span class="hidden">{t.refine.system}</span>
        <select
          id="system"
          value={current?.name ?? ""}
          onChange={(event) => {
            const system = event.currentTarget.value;
            update({ system, set: {}, offset: 0, beside: state.beside.filter((name) => name !== system) });
          }}
        >
          {systems.map(({ name, title }) => (
            <option key={name} value={name}>
              {title || name}
            </option>
          ))}
        </select>
      </label>
      {current && <About system={current} />}
      {current && <Weights state={state} update={update} system={current} />}
      {state.beside.length < kMostBeside && (
        <label class="choice">
          <span>{t.refine.compare}</span>
          <select
            id="beside"
            value=""
            onChange={(event) => event.currentTarget.value && update({ system: current?.name ?? "", beside: [...state.beside, event.currentTarget.value] })}
          >
            <option value="">{t.refine.addSystem} …</option>
            {others.map(({ name, title }) => (
              <option key={name} value={name}>
                {title || name}
              </option>
            ))}
          </select>
        </label>
      )}
      {state.beside.map((name) => (
        <button type="button" class="chosen" key={name} onClick={() => update({ beside: state.beside.filter((one) => one !== name) })}>
          {name} <Icon name="close" />
          <span class="hidden">{t.refine.removeSystem(name)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Weights({ state, update, system }: { state: State; update: Update; system: System }): JSX.Element | null {
  if (system.parameters.length === 0) return null;
  return (
    <details class="weights" open={Object.keys(state.set).length > 0}>
      <summary>{t.refine.parameters}</summary>
      {system.parameters.map((one) => {
        const value = state.set[one.name] ?? one.standard;
        const span = one.highest - one.lowest;
        const change = (next: number) => {
          const set = { ...state.set, [one.name]: next };
          if (next === one.standard) delete set[one.name];
          update({ set, offset: 0 }, "typing");
        };
        return (
          <label key={one.name} title={one.explanation}>
            <span>
              {one.name} <small>{one.explanation}</small>
            </span>
            <input type="range" min={one.lowest} max={one.highest} step={span <= 2 ? 0.05 : span <= 20 ? 0.25 : 1} value={value} onInput={(event) => change(event.currentTarget.valueAsNumber)} />
            <output>{value}</output>
          </label>
        );
      })}
    </details>
  );
}

function Switches({ state, update }: Pick<Props, "state" | "update">): JSX.Element {
  return (
    <fieldset class="switches">
      <legend>{t.refine.switches}</legend>
      {kSwitches.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            role="switch"
            checked={state.switches[name]}
            onChange={(event) => update({ switches: { ...state.switches, [name]: event.currentTarget.checked }, offset: 0 })}
          />
          <span>
            {t.refine.switch[name]} <small>{t.refine.switchHint[name]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function FacetGroup({ name, state, update, found }: { name: Facet; found: Found } & Pick<Props, "state" | "update">): JSX.Element | null {
  const [all, setAll] = useState(false);
  const chosen = state.facets[name];
  const given = found.facets?.[name] ?? [];
  // What was chosen stays to be unchosen, even when nothing has it any more.
  const values = [...given, ...chosen.filter((one) => !given.some(({ value }) => value === one)).map((value) => ({ value, count: 0 }))];
  if (values.length === 0) return null;
  const shown = all ? values : values.filter(({ value }, i) => i < kShown || chosen.includes(value));
  const flip = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    update({ facets: { ...state.facets, [name]: next }, offset: 0 });
  };
  return (
    <details class="facet" open={chosen.length > 0 || name === "composer"}>
      <summary>{t.refine.facets[name]}</summary>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => flip(value)} />
              <span class="value">{value || t.refine.unknown}</span>
              <span class="count">{t.refine.count(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <button type="button" class="text" onClick={() => setAll(true)}>
          {t.refine.moreValues(values.length - shown.length)}
        </button>
      )}
    </details>
  );
}

function Words({ state, update }: Pick<Props, "state" | "update">): JSX.Element {
  const [text, setText] = useState(state.text);
  useEffect(() => setText(state.text), [state.text]);
  return (
    <label class="choice words">
      <span>{t.refine.words}</span>
      <input
        type="search"
        id="words"
        value={text}
        placeholder={t.refine.wordsHint}
        onInput={(event) => {
          setText(event.currentTarget.value);
          update({ text: event.currentTarget.value, offset: 0 }, "typing");
        }}
      />
    </label>
  );
}

export function Refine({ state, update, systems, found }: Props): JSX.Element {
  const filters = chosenFacets(state);
  // Whoever has chosen a system by its name sees it.
  const plain = Object.values(kModes).some((name) => name === state.system) || state.system === defaultSystem(systems)?.name;
  const opened = !plain || state.beside.length > 0 || Object.keys(state.set).length > 0;
  return (
    <aside class="refine" aria-label={t.refine.title}>
      <Words state={state} update={update} />
      <Modes state={state} update={update} systems={systems} />
      <details class="systems" open={opened}>
        <summary>{t.refine.moreSystems}</summary>
        <Systems state={state} update={update} systems={systems} />
      </details>
      <Switches state={state} update={update} />
      {found && kFacets.map((name) => <FacetGroup key={name} name={name} state={state} update={update} found={found} />)}
      {filters > 0 && (
        <button type="button" onClick={() => update({ facets: emptyState().facets, offset: 0 })}>
          {t.refine.clear(filters)}
        </button>
      )}
    </aside>
  );
}
