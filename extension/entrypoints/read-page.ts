import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { readPage } from "#extension/capture/reading.ts";
import { sendText } from "#extension/platform/page-text.ts";

export default defineUnlistedScript(() => {
  const { html, ...facts } = readPage();
  return { ...facts, chars: sendText(html) };
});
