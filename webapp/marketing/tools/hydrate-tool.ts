import { type ReactNode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { readToolWords } from "./words.ts";

/** Makes the prerendered tool of a page interactive, in short tasks so that a slow phone answers to touch meanwhile. */
export function hydrateTool(render: (root: HTMLElement) => ReactNode): void {
  const root = document.getElementById("tool");
  if (!root) return;
  readToolWords();
  startTransition(() => void hydrateRoot(root, render(root)));
}
