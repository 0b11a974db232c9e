import { browser } from "wxt/browser";

export const openOptions = () => browser.runtime.openOptionsPage();

export const openTab = (url: string) => browser.tabs.create({ url });
