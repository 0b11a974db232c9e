import type { Preferences } from "#shared/user/schema.ts";
import { readLocal, writeLocal } from "./local-storage.ts";

export type Theme = Preferences["appearance"]["theme"];

/** Also read by `boot.js`, before the first paint. */
const STORAGE_KEY = "lamplight_theme";

export function readStoredTheme(): Theme {
  const stored = readLocal(STORAGE_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Applies a theme and stores it in this browser. */
export function applyTheme(theme: Theme): void {
  writeLocal(STORAGE_KEY, theme);
  paint(theme);
}

function paint(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "system" && darkSchemeQuery().matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  document.documentElement.classList.toggle("dark", isDark);
}

/** Follows changes of the device's colour scheme while the theme is "system". */
export function followDeviceTheme(): void {
  darkSchemeQuery().addEventListener("change", () => paint(readStoredTheme()));
}

const darkSchemeQuery = () => matchMedia("(prefers-color-scheme: dark)");
