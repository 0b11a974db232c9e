import { extensionPage as german } from "#shared/messages/de/app/extension-page.ts";
import { extensionPage } from "#shared/messages/en/app/extension-page.ts";
import { isGerman } from "./spoken.ts";

/** What is said in a page itself: these words are put there, and no others. */
export const pageWords: Readonly<Record<keyof typeof extensionPage, string>> = isGerman ? german : extensionPage;
