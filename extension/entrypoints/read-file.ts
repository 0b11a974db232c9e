import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readFilePiece } from "#extension/capture/readers/read-file.ts";

/** The requested offset was put into the isolated world before. */
export default defineUnlistedScript({
  main() {
    const { lamplightGiven } = globalThis as { lamplightGiven?: { from: number } };
    return readFilePiece(lamplightGiven?.from ?? 0);
  },
});
