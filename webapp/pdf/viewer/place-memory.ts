import type { Place } from "./flow.ts";

// Neither by `kit/local.ts` nor checked by zod: this runs before the app's own first chunk is there.
const KEY = "lamplight_pdf_places";
/** So many documents are remembered; the one read longest ago is forgotten first. */
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
    // Not what we wrote, or storage is forbidden: every document opens at its beginning.
    return {};
  }
}

/** Where a document was left in this browser. */
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
    // Storage may be forbidden or full: the next visit begins at the beginning.
  }
}
