import { extension as german } from "#shared/messages/de/app/extension.ts";
import { extensionPanel as germanPanel } from "#shared/messages/de/app/extension-panel.ts";
import { extension } from "#shared/messages/en/app/extension.ts";
import { extensionPanel } from "#shared/messages/en/app/extension-panel.ts";
import { isGerman } from "./ui-language.ts";

const english = { ...extension, ...extensionPanel };

export const words: Readonly<Record<keyof typeof english, string>> = isGerman ? { ...german, ...germanPanel } : english;
