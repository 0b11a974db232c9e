import type { KeyboardEvent } from "react";

const steps: Readonly<Record<string, (columns: number) => number>> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
};

/** Arrow keys move between tiles in the grid and skip removed ones. */
export function moveFocus(event: KeyboardEvent, grid: HTMLElement | null): void {
  const step = steps[event.key];
  if (!step || !grid) return;
  const tiles = [...grid.querySelectorAll<HTMLButtonElement>("button")];
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  let at = tiles.findIndex((tile) => tile === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  do at += step(columns);
  while (tiles[at]?.disabled === true);
  tiles[at]?.focus();
}
