import { browser } from "wxt/browser";

export const openOptions = () => browser.runtime.openOptionsPage();
