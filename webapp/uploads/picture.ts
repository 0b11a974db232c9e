import { createContext, useCallback, useContext } from "react";
import { client } from "#webapp/app/client.ts";
import { useShownBlob } from "#webapp/app/browser/shown-blob.ts";

/** The small picture of a file as an address within this tab; undefined while, and where, there is none. */
export function usePicture(componentId: string, kind: "document" | "video" | "none"): string | undefined {
  const read = useCallback(async () => {
    if (kind === "none") return undefined;
    return (kind === "video" ? client.pages.getVideoThumbnail : client.pages.getPdfThumbnail)({ componentId });
  }, [componentId, kind]);
  return useShownBlob(read)?.address;
}

/** Where files are read without an account's token: what is shared stands at addresses of its own. */
export const FileAddress = createContext<((fileId: string) => string) | undefined>(undefined);

/** A file of the account's as an address for this tab: it takes the account's token to be fetched. */
export function useFile(fileId: string): string | undefined {
  const addressOf = useContext(FileAddress);
  const isElsewhere = addressOf !== undefined;
  const read = useCallback(
    async () => (isElsewhere ? undefined : client.pages.getFile({ fileId })),
    [fileId, isElsewhere],
  );
  const shown = useShownBlob(read);
  return addressOf ? addressOf(fileId) : shown?.address;
}
