import { Link } from "@tanstack/react-router";
import { Film, MoreHorizontal, Trash2 } from "lucide-react";
import { FileContent } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { usePagePort, type BlockProps } from "#webapp/pages/page-port.tsx";
import { useThumbnailUrl } from "#webapp/uploads/file-urls.ts";
import "./video-block.css";

/** The video's source, and its duration if known. */
function describeVideo({ videoType, url, durationMs }: FileContent): string {
  const source =
    videoType === "youtube" ? "YouTube" : videoType === "url" ? new URL(url).host : t("video.block_uploaded");
  return durationMs === undefined ? source : `${source}, ${formatTimecode(durationMs)}`;
}

function Poster({ componentId, hasThumbnail }: { componentId: string; hasThumbnail: boolean }) {
  const url = useThumbnailUrl(componentId, hasThumbnail ? "video" : "none");
  if (url === undefined) return <Film className="video-block-icon" aria-hidden />;
  return <img className="video-block-poster" src={url} alt="" />;
}

/** A video on a page, with a link to its screen. */
export function VideoBlock({ block, remove }: BlockProps) {
  const pagePort = usePagePort();
  const content = FileContent.safeParse(block.content).data;
  if (!content) return <p className="video-block">{t("pages.unknown_block")}</p>;
  const name = content.title || content.file.name;
  return (
    <section className="video-block" aria-label={name}>
      <Poster componentId={block._id} hasThumbnail={content.thumbnail !== null} />
      <span className="video-block-words">
        <Link className="video-block-name" to={screenPath("video", { slug: block._id })}>
          {name}
        </Link>
        <span className="video-block-about">{describeVideo(content)}</span>
      </span>
      <span className="video-block-actions">
        <Button onClick={() => pagePort.openCardGenerator(block._id)}>{t("pages.make_cards")}</Button>
        <Menu
          trigger={<IconButton label={t("pages.file_menu", { name })} icon={<MoreHorizontal aria-hidden />} />}
          groups={[[{ label: t("pages.remove_block"), icon: <Trash2 aria-hidden />, danger: true, onSelect: remove }]]}
        />
      </span>
    </section>
  );
}
