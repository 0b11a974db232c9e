import { useEffect, useState } from "react";
import { client } from "./client.ts";

/** The small picture of a file as an address within this tab; undefined while, and where, there is none. */
export function usePicture(componentId: string, kind: "document" | "video" | "none"): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    const show = async () => {
      const blob = await fetchPicture(componentId, kind);
      if (isGone || !blob) return;
      made = URL.createObjectURL(blob);
      setAddress(made);
    };
    void show();
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [componentId, kind]);
  return address;
}

async function fetchPicture(componentId: string, kind: "document" | "video" | "none"): Promise<Blob | undefined> {
  if (kind === "none") return undefined;
  try {
    return await (kind === "video" ? client.pages.getVideoThumbnail : client.pages.getPdfThumbnail)({ componentId });
  } catch {
    // Its kind is shown in its place.
    return undefined;
  }
}
