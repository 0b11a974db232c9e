import { extension as german } from "#shared/messages/de/app/extension.ts";
import { extensionPanel as germanPanel } from "#shared/messages/de/app/extension-panel.ts";
import { extensionResearch as germanResearch } from "#shared/messages/de/app/extension-research.ts";
import { extension } from "#shared/messages/en/app/extension.ts";
import { extensionPanel } from "#shared/messages/en/app/extension-panel.ts";
import { extensionResearch } from "#shared/messages/en/app/extension-research.ts";
import { isGerman } from "./ui-language.ts";

const english = { ...extension, ...extensionPanel, ...extensionResearch };

export const words: Readonly<Record<keyof typeof english, string>> = isGerman
  ? { ...german, ...germanPanel, ...germanResearch }
  : english;
