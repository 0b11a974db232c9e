import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readMetadata, readPageHtml } from "#extension/capture/readers/read-page-content.ts";
import { sendText } from "#extension/platform/page-text.ts";

const send = async () => ({ ...readMetadata(), chars: await sendText(readPageHtml) });

export default defineUnlistedScript({ main: () => send() });
