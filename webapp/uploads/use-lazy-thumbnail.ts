import { useEffect, useRef, useState, type RefObject } from "react";
import { readThumbnail } from "./thumbnail-cache.ts";

/** Distance below and above the window at which a thumbnail is fetched. */
const MARGIN = "300px";

/** What a thumbnail is made of. */
export type ThumbnailKind = "document" | "video" | "none";

/** A file's thumbnail, fetched once the referenced element comes near the window; `none` fetches nothing. */
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
