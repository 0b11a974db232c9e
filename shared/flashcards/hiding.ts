import { ulid } from "ulid";
import type { Region } from "./schema.ts";

/** A click without a drag is no region; an arrow key moves by `STEP`, a share of the picture. */
const LEAST = 0.015;
const STEP = 0.01;

export interface Point {
  x: number;
  y: number;
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** Keeps the region inside the picture and large enough to be visible. */
function fitted(region: Region): Region {
  const w = within(region.w, LEAST, 1);
  const h = within(region.h, LEAST, 1);
  return { ...region, w, h, x: within(region.x, 0, 1 - w), y: within(region.y, 0, 1 - h) };
}

/** The region between two points; undefined if the pointer hardly moved. */
export function regionBetween(a: Point, b: Point): Region | undefined {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [w, h] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return w < LEAST || h < LEAST ? undefined : fitted({ id: ulid(), x, y, w, h, label: "" });
}

/** A region in the middle, for keyboard users. */
export const middleRegion = (): Region => ({ id: ulid(), x: 0.4, y: 0.45, w: 0.2, h: 0.1, label: "" });

/** The region after an arrow key: moved, or resized with Shift. */
export function pushed(region: Region, key: string, isSizing: boolean): Region | undefined {
  const dx = key === "ArrowLeft" ? -STEP : key === "ArrowRight" ? STEP : 0;
  const dy = key === "ArrowUp" ? -STEP : key === "ArrowDown" ? STEP : 0;
  if (dx === 0 && dy === 0) return undefined;
  const { x, y, w, h } = region;
  return fitted(isSizing ? { ...region, w: w + dx, h: h + dy } : { ...region, x: x + dx, y: y + dy });
}
