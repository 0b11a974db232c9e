import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { highlightPassage } from "#extension/platform/highlight-passage.ts";
import type { Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";

/** Highlights the anchor that was put into the isolated world before. */
export default defineUnlistedScript(() => {
  const { lamplightAnchor } = globalThis as { lamplightAnchor?: Anchor };
  return lamplightAnchor !== undefined && highlightPassage(lamplightAnchor);
});
