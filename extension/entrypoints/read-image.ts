import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readImage } from "#extension/capture/readers/read-image.ts";

/** Which picture is meant was put into the extension's own world of the page before. */
export default defineUnlistedScript({
  main() {
    const { lamplightGiven } = globalThis as { lamplightGiven?: { src: string } };
    return readImage(lamplightGiven?.src ?? "");
  },
});
