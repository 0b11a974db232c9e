import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readFacts, readPage } from "#extension/capture/readers/read-page-content.ts";
import { sendText } from "#extension/platform/page-text.ts";

const send = async () => ({ ...readFacts(), chars: await sendText(readPage) });

export default defineUnlistedScript({ main: () => send() });
