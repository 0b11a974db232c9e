import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readPlayer } from "#extension/capture/readers/read-player.ts";

export default defineUnlistedScript({ main: () => readPlayer() });
