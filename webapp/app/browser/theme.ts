import type { Preferences } from "#shared/user/schema.ts";
import { readLocal, writeLocal } from "./local.ts";

export type Theme = Preferences["appearance"]["theme"];

/** Also read by `boot.js`, before the first paint. */
const KEY = "lamplight_theme";

export function rememberedTheme(): Theme {
  const kept = readLocal(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Applies a theme and stores it in this browser. */
export function applyTheme(theme: Theme): void {
  writeLocal(KEY, theme);
  paint(theme);
}

function paint(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "system" && darkDevice().matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  document.documentElement.classList.toggle("dark", isDark);
}

/** Follows changes of the device's colour scheme while the theme is "system". */
export function followDevice(): void {
  darkDevice().addEventListener("change", () => paint(rememberedTheme()));
}

const darkDevice = () => matchMedia("(prefers-color-scheme: dark)");
