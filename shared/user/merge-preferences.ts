import { Preferences } from "./schema.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges `sent` into `stored` recursively; omitted keys keep their value. */
function mergeKeys(stored: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...stored };
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined || !Object.hasOwn(stored, key)) continue;
    const before = stored[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeKeys(before, value) : value;
  }
  return merged;
}

/** Preferences after a save; undefined if a value is invalid for its key. */
export function mergePreferences(stored: Preferences, sent: Record<string, unknown>): Preferences | undefined {
  return Preferences.safeParse(mergeKeys(stored, sent)).data;
}

/** Stored preferences with defaults filled in; a value that is no longer valid is replaced by its default. */
export function parsePreferences(stored: Record<string, unknown>): Preferences {
  const defaults = Preferences.parse({});
  const valid = mergePreferences(defaults, stored);
  if (valid) return valid;
  return Object.entries(stored).reduce(
    (preferences, [key, value]) => mergePreferences(preferences, { [key]: value }) ?? preferences,
    defaults,
  );
}

/** The values of `after` that `before` does not have, nested as the preferences are. */
export function changedPart(before: object, after: object): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after) as [string, unknown][]) {
    const old = (before as Record<string, unknown>)[key];
    if (isRecord(value) && isRecord(old)) {
      const inner = changedPart(old, value);
      if (Object.keys(inner).length > 0) changed[key] = inner;
    } else if (JSON.stringify(value) !== JSON.stringify(old)) changed[key] = value;
  }
  return changed;
}

/** Two parts of the preferences as one; where both have a value, the later one counts. */
export function mergeParts(earlier: Record<string, unknown>, later: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeParts(before, value) : value;
  }
  return merged;
}

/** The changed values, by dotted path. */
export function changedPreferences(before: object, after: object, path = ""): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[key];
    if (isRecord(value) && isRecord(old)) Object.assign(changes, changedPreferences(old, value, `${path}${key}.`));
    else if (value !== old) changes[`${path}${key}`] = value;
  }
  return changes;
}
