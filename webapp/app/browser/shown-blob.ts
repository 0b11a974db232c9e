import { useEffect, useState } from "react";

/** A blob, with an address that shows it within this tab. */
export interface ShownBlob {
  blob: Blob;
  address: string;
}

/**
 * What `read` answers, at an address that lives as long as it is shown; undefined while, and where, there is nothing.
 * It is read anew when `read` is another function.
 */
export function useShownBlob(read: () => Promise<Blob | undefined>): ShownBlob | undefined {
  const [shown, setShown] = useState<ShownBlob>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    const show = async () => {
      // What cannot be read leaves its place to what stands there instead.
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
