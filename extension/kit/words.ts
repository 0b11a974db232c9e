import { extension } from "#shared/messages/en/extension.ts";

export const words = extension;
