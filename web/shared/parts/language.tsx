import type { JSX } from "preact";
import { kLanguages, pageLanguage, storeLanguage, type Language } from "../language";
import { common } from "../texts";

/** The page is drawn anew in the language that is chosen; what was searched lies in the address and stays. */
export function LanguageChoice(): JSX.Element {
  return (
    <label class="theme">
      <span class="hidden">{common.language}</span>
      <select
        id="language"
        value={pageLanguage()}
        title={common.language}
        onChange={(event) => {
          storeLanguage(event.currentTarget.value as Language);
          location.reload();
        }}
      >
        {Object.entries(kLanguages).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
