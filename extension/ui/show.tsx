import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { speakHere } from "#extension/words/speaking.ts";
import "#shared/ui/base.css";
import "./extension.css";

const dark = matchMedia("(prefers-color-scheme: dark)");

function paint(): void {
  document.documentElement.dataset["theme"] = dark.matches ? "dark" : "light";
}

/** Renders a view into its document, in the device's colour scheme. */
export function show(view: ReactNode): void {
  speakHere();
  paint();
  dark.addEventListener("change", paint);
  const place = document.getElementById("app");
  if (place === null) throw new Error("The document has no #app element");
  createRoot(place).render(<StrictMode>{view}</StrictMode>);
}
