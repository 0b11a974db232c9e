import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readMoment } from "#extension/capture/readers/read-moment.ts";

export default defineUnlistedScript(() => readMoment());
