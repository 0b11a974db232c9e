import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readVideo, type VideoQuery } from "#extension/capture/readers/read-video.ts";

/** The query was put into the isolated world before. */
export default defineUnlistedScript({
  main() {
    const { lamplightInput } = globalThis as { lamplightInput?: VideoQuery };
    return readVideo(lamplightInput ?? { player: null, languages: [] });
  },
});
