import { browser } from "wxt/browser";

/** The commands of the manifest with the keys that the student's browser gives them; the key is empty where none is set. */
export async function listKeys(): Promise<{ name: string; keys: string }[]> {
  const commands = await browser.commands.getAll();
  return commands.flatMap(({ description, shortcut }) =>
    description ? [{ name: description, keys: shortcut ?? "" }] : [],
  );
}
