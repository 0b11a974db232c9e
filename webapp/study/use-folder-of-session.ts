import { useSearch } from "@tanstack/react-router";

/** The folder in the URL that limits a session across decks; undefined for all decks. */
export function useFolderOfSession(): string | undefined {
  const { folder }: Record<string, unknown> = useSearch({ strict: false });
  return typeof folder === "string" && folder !== "" ? folder : undefined;
}
