import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readSelection } from "#extension/capture/readers/read-page-content.ts";

export default defineUnlistedScript(() => readSelection());
