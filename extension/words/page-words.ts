import { extensionPage as german } from "#shared/messages/de/app/extension-page.ts";
import { extensionPage } from "#shared/messages/en/app/extension-page.ts";
import { isGerman } from "./ui-language.ts";

/** The only strings that are included in injected scripts. */
export const pageWords: Readonly<Record<keyof typeof extensionPage, string>> = isGerman ? german : extensionPage;
