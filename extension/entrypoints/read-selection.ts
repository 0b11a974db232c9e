import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readSelection } from "#extension/capture/readers/reading.ts";

export default defineUnlistedScript(() => readSelection());
