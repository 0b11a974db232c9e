import { ExternalLink, Play } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { FileContent } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { videoIdOf } from "#shared/video/addresses.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { frameOf, tellFilm, wholeMs } from "../film.ts";
import { streamOf, type VideoInfo } from "../state.ts";
import { FilePlayer } from "./file-player.tsx";
import { YoutubePlayer } from "./youtube-player.tsx";

interface Props {
  component: VideoInfo["component"];
}

/** Asks for consent before loading anything from another site. */
function Ask({
  words,
  button,
  aside,
  onPlay,
}: {
  words: string;
  button: string;
  aside?: ReactNode;
  onPlay: () => void;
}) {
  return (
    <div className="video-ask">
      <p>{words}</p>
      <p className="video-ask-actions">
        <Button variant="primary" icon={<Play aria-hidden />} onClick={onPlay}>
          {button}
        </Button>
        {aside}
      </p>
    </div>
  );
}

/** An address newer than this cannot have expired, so the failure has another cause. */
const FRESH_MS = 10_000;

async function seePlayed(id: string, element: HTMLVideoElement): Promise<void> {
  const poster = await frameOf(element).catch(() => undefined);
  await tellFilm(id, { durationMs: wholeMs(element.duration), poster });
}

function StoredPlayer({ id, content }: { id: string; content: FileContent }) {
  const [src, setSrc] = useState<string>();
  const askedAt = useRef(0);
  useEffect(() => {
    let isGone = false;
    askedAt.current = performance.now();
    const ask = async () => {
      const address = await streamOf(id);
      if (!isGone && address !== undefined) setSrc(address);
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [id]);
  const renew = () => {
    if (performance.now() - askedAt.current < FRESH_MS) return false;
    askedAt.current = performance.now();
    void streamOf(id).then((address) => setSrc((held) => address ?? held));
    return true;
  };
  // Videos that were not uploaded from this browser, for example from Drive, are probed when first played.
  const see = content.thumbnail === null ? (element: HTMLVideoElement) => void seePlayed(id, element) : undefined;
  const shown = see ? { onShown: see } : {};
  return <FilePlayer src={src} title={content.title || content.file.name} autoPlay={false} renew={renew} {...shown} />;
}

function LinkedPlayer({ content }: { content: FileContent }) {
  const [isAllowed, setAllowed] = useState(false);
  const { host } = new URL(content.url);
  if (!isAllowed)
    return (
      <Ask
        words={t("video.link_ask", { host })}
        button={t("video.play_link", { host })}
        onPlay={() => setAllowed(true)}
      />
    );
  return <FilePlayer src={content.url} title={content.title} autoPlay renew={() => false} />;
}

function FramedPlayer({ videoId, content }: { videoId: string; content: FileContent }) {
  const [isAllowed, setAllowed] = useState(false);
  if (isAllowed) return <YoutubePlayer videoId={videoId} title={content.title} />;
  const aside = (
    <ButtonLink
      variant="quiet"
      icon={<ExternalLink aria-hidden />}
      href={content.url}
      target="_blank"
      rel="noopener noreferrer"
    >
      {t("video.open_youtube")}
    </ButtonLink>
  );
  return (
    <Ask
      words={t("video.youtube_ask")}
      button={t("video.play_youtube")}
      aside={aside}
      onPlay={() => setAllowed(true)}
    />
  );
}

/** The player for the video's location: uploaded, YouTube, or elsewhere on the web. */
export function PlayerOf({ component }: Props) {
  if (component.type !== "video") return null;
  const { content, _id } = component;
  const videoId = videoIdOf(content.file.id);
  if (videoId !== undefined) return <FramedPlayer key={_id} videoId={videoId} content={content} />;
  if (content.videoType === "url") return <LinkedPlayer key={_id} content={content} />;
  return <StoredPlayer key={_id} id={_id} content={content} />;
}
