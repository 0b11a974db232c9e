import { createContext, useCallback, useContext } from "react";
import { client } from "#webapp/app/client.ts";
import { useBlobUrl } from "#webapp/app/browser/use-blob-url.ts";

/** A file's thumbnail as an object URL; undefined while it loads or if there is none. */
export function useThumbnailUrl(componentId: string, kind: "document" | "video" | "none"): string | undefined {
  const read = useCallback(async () => {
    if (kind === "none") return undefined;
    return (kind === "video" ? client.uploads.getVideoThumbnail : client.uploads.getPdfThumbnail)({ componentId });
  }, [componentId, kind]);
  return useBlobUrl(read)?.url;
}

/** Overrides file URLs on screens without an account token, such as shared pages. */
export const FileUrlContext = createContext<((fileId: string) => string) | undefined>(undefined);

/** An account's file as an object URL, because fetching the file requires the account's token. */
export function useFileUrl(fileId: string): string | undefined {
  const toFileUrl = useContext(FileUrlContext);
  const isOverridden = toFileUrl !== undefined;
  const read = useCallback(
    async () => (isOverridden ? undefined : client.uploads.getFile({ fileId })),
    [fileId, isOverridden],
  );
  const shown = useBlobUrl(read);
  return toFileUrl ? toFileUrl(fileId) : shown?.url;
}
