import { extension } from "#shared/messages/en/extension.ts";

export const words = extension;

/** Puts values into a message's double braces. */
export const fill = (message: string, values: Readonly<Record<string, string | number>>): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
