import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readMoment } from "#extension/capture/read-moment.ts";

export default defineUnlistedScript(() => readMoment());
