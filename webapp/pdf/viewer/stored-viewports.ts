import type { StoredViewport } from "./flow.ts";

// Uses neither `app/browser/local-storage.ts` nor zod, because it runs before the app's first chunk is loaded.
const KEY = "lamplight_pdf_places";
/** Number of stored documents; the least recently read one is dropped first. */
const MAX_VIEWPORTS = 200;

/** A window as wide as a phone. */
const NARROW_PX = 600;

const isIn = (values: readonly unknown[], value: unknown) => values.includes(value);

function isStoredViewport(stored: unknown): stored is StoredViewport {
  const { page, at, zoom, turn, spread } = (stored ?? {}) as Record<keyof StoredViewport, unknown>;
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

function readAllViewports(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  } catch {
    // The storage is invalid or forbidden, so documents open at the beginning.
    return {};
  }
}

/** The stored viewport of a document in this browser. */
export function readViewport(componentId: string): StoredViewport | undefined {
  const stored = readAllViewports()[componentId];
  if (!isStoredViewport(stored)) return undefined;
  // A zoom that was stored in a wide window would cut the page off on a phone.
  return typeof stored.zoom === "number" && innerWidth < NARROW_PX ? { ...stored, zoom: "width" } : stored;
}

export function writeViewport(componentId: string, viewport: StoredViewport): void {
  const { [componentId]: _old, ...others } = readAllViewports();
  const stored = Object.entries(others).slice(1 - MAX_VIEWPORTS);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...stored, [componentId, viewport]])));
  } catch {
    // The storage is full or forbidden, so the next visit starts at the beginning.
  }
}
