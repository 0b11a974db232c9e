import { ulid } from "ulid";
import type { Region } from "./schema.ts";

/** A click without a drag is no region; an arrow key moves by `STEP`, a share of the picture. */
const MIN_REGION_SIZE = 0.015;
const KEY_STEP = 0.01;

export interface Point {
  x: number;
  y: number;
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** Keeps the region inside the picture and large enough to be visible. */
function fitRegion(region: Region): Region {
  const w = clamp(region.w, MIN_REGION_SIZE, 1);
  const h = clamp(region.h, MIN_REGION_SIZE, 1);
  return { ...region, w, h, x: clamp(region.x, 0, 1 - w), y: clamp(region.y, 0, 1 - h) };
}

/** The region between two points; undefined if the pointer hardly moved. */
export function regionBetween(a: Point, b: Point): Region | undefined {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [w, h] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return w < MIN_REGION_SIZE || h < MIN_REGION_SIZE ? undefined : fitRegion({ id: ulid(), x, y, w, h, label: "" });
}

/** A region in the middle, for keyboard users. */
export const middleRegion = (): Region => ({ id: ulid(), x: 0.4, y: 0.45, w: 0.2, h: 0.1, label: "" });

/** The region after an arrow key: moved, or resized with Shift. */
export function moveRegionByKey(region: Region, key: string, isResizing: boolean): Region | undefined {
  const dx = key === "ArrowLeft" ? -KEY_STEP : key === "ArrowRight" ? KEY_STEP : 0;
  const dy = key === "ArrowUp" ? -KEY_STEP : key === "ArrowDown" ? KEY_STEP : 0;
  if (dx === 0 && dy === 0) return undefined;
  const { x, y, w, h } = region;
  return fitRegion(isResizing ? { ...region, w: w + dx, h: h + dy } : { ...region, x: x + dx, y: y + dy });
}
