import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { common } from "../texts";

const kThemes = ["auto", "light", "dark"] as const;
type Theme = (typeof kThemes)[number];
const kStored = "rondo-colours";

function storedTheme(): Theme {
  try {
    return kThemes.find((one) => one === localStorage.getItem(kStored)) ?? "auto";
  } catch {
    return "auto"; // A browser may forbid storage.
  }
}

export function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
    try {
      localStorage.setItem(kStored, theme);
    } catch {
      // Not remembered then.
    }
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">{common.theme.label}</span>
      <select value={theme} title={common.theme.label} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {kThemes.map((one) => (
          <option key={one} value={one}>
            {common.theme[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
