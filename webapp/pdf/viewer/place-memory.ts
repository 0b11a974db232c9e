import type { Place } from "./flow.ts";

// Uses neither `kit/local.ts` nor zod, because it runs before the app's first chunk is loaded.
const KEY = "lamplight_pdf_places";
/** Number of stored documents; the least recently read one is dropped first. */
const MAX_PLACES = 200;

const isIn = (values: readonly unknown[], value: unknown) => values.includes(value);

function isPlace(kept: unknown): kept is Place {
  const { page, at, zoom, turn, spread } = (kept ?? {}) as Record<keyof Place, unknown>;
  return (
    Number.isInteger(page) &&
    Number(page) >= 1 &&
    typeof at === "number" &&
    at >= 0 &&
    at <= 1 &&
    (Number.isFinite(zoom) || isIn(["width", "page"], zoom)) &&
    isIn([0, 90, 180, 270], turn) &&
    isIn(["one", "two"], spread)
  );
}

function readAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // Invalid or forbidden storage: documents open at the beginning.
    return {};
  }
}

/** The stored viewport of a document in this browser. */
export function readPlace(componentId: string): Place | undefined {
  const kept = readAll()[componentId];
  return isPlace(kept) ? kept : undefined;
}

export function writePlace(componentId: string, place: Place): void {
  const { [componentId]: _old, ...others } = readAll();
  const kept = Object.entries(others).slice(1 - MAX_PLACES);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [componentId, place]])));
  } catch {
    // Storage may be full or forbidden: the next visit starts at the beginning.
  }
}
