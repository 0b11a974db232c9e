import { useState, useSyncExternalStore } from "react";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";

const KEY = "lamplight_pdf_dim";

export interface Dimming {
  isDimmed: boolean;
  toggle: () => void;
}

const isDarkTheme = () => document.documentElement.dataset["theme"] === "dark";

function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/**
 * Whether pages are shown light on dark. Follows the theme until the student chooses; each theme has its own choice.
 */
export function useDimmedPages(): Dimming {
  const isDark = useSyncExternalStore(subscribeToTheme, isDarkTheme);
  const key = `${KEY}_${isDark ? "dark" : "light"}`;
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const stored = readLocal(key);
  const isDimmed = chosen[key] ?? (stored === null ? isDark : stored === "true");
  const toggle = () => {
    writeLocal(key, String(!isDimmed));
    setChosen({ ...chosen, [key]: !isDimmed });
  };
  return { isDimmed, toggle };
}
