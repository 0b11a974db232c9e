import { createContext, useCallback, useContext } from "react";
import { client } from "#webapp/app/client.ts";
import { useShownBlob } from "#webapp/app/browser/shown-blob.ts";

/** A file's thumbnail as an object URL; undefined while it loads or if there is none. */
export function usePicture(componentId: string, kind: "document" | "video" | "none"): string | undefined {
  const read = useCallback(async () => {
    if (kind === "none") return undefined;
    return (kind === "video" ? client.pages.getVideoThumbnail : client.pages.getPdfThumbnail)({ componentId });
  }, [componentId, kind]);
  return useShownBlob(read)?.address;
}

/** Overrides file addresses where there is no account token, as on shared pages. */
export const FileAddress = createContext<((fileId: string) => string) | undefined>(undefined);

/** An account's file as an object URL: fetching it requires the account's token. */
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
