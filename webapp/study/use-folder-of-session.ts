import { useSearch } from "@tanstack/react-router";

/** The folder within which a session across decks stays, from the address; undefined for all decks. */
export function useFolderOfSession(): string | undefined {
  const { folder }: Record<string, unknown> = useSearch({ strict: false });
  return typeof folder === "string" && folder !== "" ? folder : undefined;
}
