import { browser } from "wxt/browser";

/** The manifest's commands with their shortcuts; empty if none is set. */
export async function listKeys(): Promise<{ name: string; keys: string }[]> {
  const commands = await browser.commands.getAll();
  return commands.flatMap(({ description, shortcut }) =>
    description ? [{ name: description, keys: shortcut ?? "" }] : [],
  );
}
