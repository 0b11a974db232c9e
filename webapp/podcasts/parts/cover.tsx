import { Headphones } from "lucide-react";
import { useCallback } from "react";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { useBlobUrl } from "#webapp/app/browser/use-blob-url.ts";
import { findCover } from "../sound.ts";

interface Props {
  podcast: Pick<Podcast, "_id" | "title" | "thumbnail_file">;
  size: "small" | "large";
}

/** The cover of an episode; an icon until the cover is loaded. */
export function Cover({ podcast: { _id: id, title, thumbnail_file: file }, size }: Props) {
  const location = file?.location;
  // Another title has another location, and another cover.
  const read = useCallback(async () => (location === undefined ? undefined : findCover(id)), [id, location]);
  const image = useBlobUrl(read);
  return (
    <span className={`podcast-cover podcast-cover-${size}`}>
      {image ? (
        <img src={image.url} alt={size === "large" ? t("podcasts.cover", { title }) : ""} />
      ) : (
        <Headphones aria-hidden />
      )}
    </span>
  );
}
