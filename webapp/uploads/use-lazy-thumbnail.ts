import { useEffect, useRef, useState, type RefObject } from "react";
import { readThumbnail } from "./thumbnail-cache.ts";

/** A thumbnail is fetched when its element is within this distance of the window. */
const MARGIN = "300px";

/** The kind of file that a thumbnail shows; `none` for no thumbnail. */
export type ThumbnailKind = "document" | "video" | "none";

/** A file's thumbnail, fetched once the referenced element comes near the window. */
export function useLazyThumbnail(
  componentId: string,
  kind: ThumbnailKind,
): { ref: RefObject<HTMLSpanElement | null>; url: string | undefined } {
  const ref = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const element = ref.current;
    if (kind === "none" || !element) return undefined;
    let isUnmounted = false;
    const show = async () => {
      const next = await readThumbnail(componentId, kind);
      if (!isUnmounted) setUrl(next);
    };
    const observer =
      typeof IntersectionObserver === "undefined"
        ? undefined
        : new IntersectionObserver(
            ([entry]) => {
              if (!entry?.isIntersecting) return;
              observer?.disconnect();
              void show();
            },
            { rootMargin: MARGIN },
          );
    if (observer) observer.observe(element);
    else void show();
    return () => {
      isUnmounted = true;
      observer?.disconnect();
      setUrl(undefined);
    };
  }, [componentId, kind]);
  return { ref, url };
}
