import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readPage } from "#extension/capture/reading.ts";

export default defineUnlistedScript(() => readPage());
