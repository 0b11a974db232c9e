import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readSelection } from "#extension/capture/reading.ts";

export default defineUnlistedScript(() => readSelection());
