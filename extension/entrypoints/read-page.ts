import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readPage } from "#extension/capture/reading.ts";
import { sendText } from "#extension/platform/page-text.ts";

async function send() {
  const { html, ...facts } = readPage();
  return { ...facts, chars: await sendText(html) };
}

export default defineUnlistedScript({ main: () => send() });
