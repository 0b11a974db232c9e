import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readVideo, type VideoWish } from "#extension/capture/readers/read-video.ts";

/** What is wanted was put into the extension's own world of the page before. */
export default defineUnlistedScript({
  main() {
    const { lamplightGiven } = globalThis as { lamplightGiven?: VideoWish };
    return readVideo(lamplightGiven ?? { player: null, languages: [] });
  },
});
