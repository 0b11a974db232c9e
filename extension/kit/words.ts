import { extension as german } from "#shared/messages/de/extension.ts";
import { extensionPanel as germanPanel } from "#shared/messages/de/extension-panel.ts";
import { extension } from "#shared/messages/en/extension.ts";
import { extensionPanel } from "#shared/messages/en/extension-panel.ts";
import { isGerman } from "./spoken.ts";

const english = { ...extension, ...extensionPanel };

export const words: Readonly<Record<keyof typeof english, string>> = isGerman ? { ...german, ...germanPanel } : english;
