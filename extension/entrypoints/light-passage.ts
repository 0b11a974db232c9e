import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { lightPassage } from "#extension/platform/lighting.ts";
import type { Anchor } from "#shared/pdf/anchoring.ts";

/** What is to be lit was put into the extension's own world of the page before. */
export default defineUnlistedScript(() => {
  const { lamplightAnchor } = globalThis as { lamplightAnchor?: Anchor };
  return lamplightAnchor !== undefined && lightPassage(lamplightAnchor);
});
