import type { KeyboardEvent } from "react";

const steps: Readonly<Record<string, (columns: number) => number>> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
};

/** Arrow keys move between tiles in the grid and skip removed ones. */
export function moveTileFocus(event: KeyboardEvent, grid: HTMLElement | null): void {
  const step = steps[event.key];
  if (!step || !grid) return;
  const tiles = [...grid.querySelectorAll<HTMLButtonElement>("button")];
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  let index = tiles.findIndex((tile) => tile === document.activeElement);
  if (index === -1) return;
  event.preventDefault();
  do index += step(columns);
  while (tiles[index]?.disabled === true);
  tiles[index]?.focus();
}
