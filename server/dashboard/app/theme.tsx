import { useState } from "preact/hooks";

/** The themes by their colour scheme. The first follows the system. */
const themes = { "light dark": "System", light: "Light", dark: "Dark" };

const kept = "slipway-theme";

function apply(scheme: string): void {
  document.documentElement.style.colorScheme = scheme;
}

const initial = localStorage.getItem(kept) ?? "";
apply(initial);

/** Chooses light or dark colours for this browser. */
export function ThemeSwitch() {
  const [scheme, choose] = useState(initial in themes ? initial : "light dark");
  return (
    <label class="theme">
      Theme
      <select
        value={scheme}
        onChange={({ currentTarget: { value } }) => {
          localStorage.setItem(kept, value);
          apply(value);
          choose(value);
        }}
      >
        {Object.entries(themes).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
