import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readVideo, type VideoWish } from "#extension/capture/readers/read-video.ts";

/** The query was put into the isolated world before. */
export default defineUnlistedScript({
  main() {
    const { lamplightGiven } = globalThis as { lamplightGiven?: VideoWish };
    return readVideo(lamplightGiven ?? { player: null, languages: [] });
  },
});
