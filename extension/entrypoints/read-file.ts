import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readFileChunk } from "#extension/capture/readers/read-file.ts";

/** The requested offset was put into the isolated world before. */
export default defineUnlistedScript({
  main() {
    const { lamplightInput } = globalThis as { lamplightInput?: { from: number } };
    return readFileChunk(lamplightInput?.from ?? 0);
  },
});
