import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { chooseRegion } from "#extension/capture/gestures/choose-region.ts";

export default defineUnlistedScript({ main: () => chooseRegion() });
