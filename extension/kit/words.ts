import { extension } from "#shared/messages/en/extension.ts";
import { extensionPanel } from "#shared/messages/en/extension-panel.ts";

export const words = { ...extension, ...extensionPanel };
