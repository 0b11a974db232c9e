import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { applyUiLanguage } from "#extension/words/apply-ui-language.ts";
import "#shared/ui/base.css";
import "./extension.css";

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

function applyTheme(): void {
  document.documentElement.dataset["theme"] = darkQuery.matches ? "dark" : "light";
}

/** Renders a view into its document, in the device's colour scheme. */
export function renderView(view: ReactNode): void {
  applyUiLanguage();
  applyTheme();
  darkQuery.addEventListener("change", applyTheme);
  const container = document.getElementById("app");
  if (container === null) throw new Error("The document has no #app element");
  createRoot(container).render(<StrictMode>{view}</StrictMode>);
}
