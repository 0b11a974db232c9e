import { useEffect, useState } from "react";

/** A blob with its object URL. */
export interface BlobUrl {
  blob: Blob;
  url: string;
}

/**
 * The result of `read` with an object URL, which is revoked on unmount; undefined while it loads or if there is no
 * result. The blob is read again when `read` changes.
 */
export function useBlobUrl(read: () => Promise<Blob | undefined>): BlobUrl | undefined {
  const [shown, setShown] = useState<BlobUrl>();
  useEffect(() => {
    let url: string | undefined;
    let isUnmounted = false;
    const load = async () => {
      // If the blob cannot be read, the fallback stays visible.
      const blob = await read().catch(() => undefined);
      if (isUnmounted || !blob) return;
      url = URL.createObjectURL(blob);
      setShown({ blob, url: url });
    };
    void load();
    return () => {
      isUnmounted = true;
      if (url !== undefined) URL.revokeObjectURL(url);
      setShown(undefined);
    };
  }, [read]);
  return shown;
}
