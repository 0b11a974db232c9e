import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readImage } from "#extension/capture/readers/read-image.ts";

/** The requested image was put into the isolated world before. */
export default defineUnlistedScript({
  main() {
    const { lamplightInput } = globalThis as { lamplightInput?: { src: string } };
    return readImage(lamplightInput?.src ?? "");
  },
});
