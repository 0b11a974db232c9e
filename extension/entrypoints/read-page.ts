import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readPage } from "#extension/capture/reading.ts";
import { sendText } from "#extension/platform/page-text.ts";

export default defineUnlistedScript(async () => {
  const { html, ...facts } = readPage();
  return { ...facts, chars: await sendText(html) };
});
