import { z } from "zod";
import { readLocal, writeLocal } from "#webapp/kit/local.ts";
import type { Place } from "./flow.ts";

const KEY = "lamplight_pdf_places";
/** So many documents are remembered; the one read longest ago is forgotten first. */
const MAX_PLACES = 200;

const Kept = z.record(
  z.string(),
  z.object({
    page: z.number().int().min(1),
    at: z.number().min(0).max(1),
    zoom: z.union([z.enum(["width", "page"]), z.number()]),
    turn: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
    spread: z.enum(["one", "two"]),
  }),
);

function readAll(): Record<string, Place> {
  try {
    return Kept.parse(JSON.parse(readLocal(KEY) ?? "{}"));
  } catch {
    // Not what we wrote: every document opens at its beginning.
    return {};
  }
}

/** Where a document was left in this browser. */
export const readPlace = (componentId: string): Place | undefined => readAll()[componentId];

export function writePlace(componentId: string, place: Place): void {
  const { [componentId]: _old, ...others } = readAll();
  const kept = Object.entries(others).slice(1 - MAX_PLACES);
  writeLocal(KEY, JSON.stringify(Object.fromEntries([...kept, [componentId, place]])));
}
