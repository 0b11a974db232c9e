import type { IndexedPassage, PassageIndex } from "#api/kit/search/port.ts";
import type { Ground } from "./answer.ts";

/** A cited passage is shown whole beside an answer, and no longer than this. */
const MAX_CHARS = 1500;
/** Neighbours on either side that may join it. */
const REACH = 6;

/**
 * The passage of a citation with what stands around it under the same heading: an answer rarely fits one paragraph.
 * Neighbours join while there is room, the following one first.
 */
export async function widenPassage(index: PassageIndex, ownerId: string, { source, passage, place }: Ground) {
  // Cards stand beside each other by chance.
  if (source.kind === "deck") return passage.text;
  const from = Math.max(0, place - REACH);
  const near = await index.read(ownerId, source.id, { from, limit: 2 * REACH + 1 });
  const at = near.findIndex(({ id }) => id === passage.id);
  return at === -1 ? passage.text : joinAround(near, at);
}

function joinAround(near: readonly IndexedPassage[], at: number): string {
  const heading = near[at]?.locator.heading;
  let first = at;
  let last = at;
  let chars = near[at]?.text.length ?? 0;
  const joins = (next: number) => {
    const other = near[next];
    if (!other || other.kind === "heading" || other.locator.heading !== heading) return false;
    if (chars + 1 + other.text.length > MAX_CHARS) return false;
    chars += 1 + other.text.length;
    return true;
  };
  for (let grows = true; grows;) {
    grows = false;
    if (joins(last + 1)) {
      last += 1;
      grows = true;
    }
    if (joins(first - 1)) {
      first -= 1;
      grows = true;
    }
  }
  return near
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("\n");
}
