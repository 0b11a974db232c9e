import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readFilePiece } from "#extension/capture/readers/read-file.ts";

/** Which part is wanted was put into the extension's own world of the page before. */
export default defineUnlistedScript({
  main() {
    const { lamplightGiven } = globalThis as { lamplightGiven?: { from: number } };
    return readFilePiece(lamplightGiven?.from ?? 0);
  },
});
