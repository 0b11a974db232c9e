import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { toggleBar } from "#extension/capture/gestures/capture-bar.ts";

export default defineUnlistedScript(() => toggleBar());
