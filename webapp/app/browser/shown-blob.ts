import { useEffect, useState } from "react";

/** A blob with its object URL. */
export interface ShownBlob {
  blob: Blob;
  address: string;
}

/**
 * The result of `read` as an object URL that lives while it is shown; undefined while it loads or if there is none.
 * Read again when `read` changes.
 */
export function useShownBlob(read: () => Promise<Blob | undefined>): ShownBlob | undefined {
  const [shown, setShown] = useState<ShownBlob>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    const show = async () => {
      // If it cannot be read, the fallback stays visible.
      const blob = await read().catch(() => undefined);
      if (isGone || !blob) return;
      made = URL.createObjectURL(blob);
      setShown({ blob, address: made });
    };
    void show();
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
      setShown(undefined);
    };
  }, [read]);
  return shown;
}
