import { ExternalLink, Play } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { FileContent } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { videoIdOf } from "#shared/video/addresses.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { useThumbnailUrl } from "#webapp/uploads/file-urls.ts";
import { captureFrame, sendProbe, toMilliseconds } from "../video-metadata.ts";
import { getStreamUrl, type VideoInfo } from "../state.ts";
import { FilePlayer } from "./file-player.tsx";
import { YoutubePlayer } from "./youtube-player.tsx";

interface Props {
  component: VideoInfo["component"];
}

/** Asks for consent before loading anything from another site. */
function ConsentPrompt({
  text,
  button,
  secondaryAction,
  onPlay,
}: {
  text: string;
  button: string;
  secondaryAction?: ReactNode;
  onPlay: () => void;
}) {
  return (
    <div className="video-ask">
      <p>{text}</p>
      <p className="video-ask-actions">
        <Button variant="primary" icon={<Play aria-hidden />} onClick={onPlay}>
          {button}
        </Button>
        {secondaryAction}
      </p>
    </div>
  );
}

/** A URL newer than this cannot have expired, so the failure has another cause. */
const MIN_RENEWAL_AGE_MS = 10_000;

async function probePlayedVideo(id: string, element: HTMLVideoElement): Promise<void> {
  const poster = await captureFrame(element).catch(() => undefined);
  await sendProbe(id, { durationMs: toMilliseconds(element.duration), poster });
}

function StoredPlayer({ id, content }: { id: string; content: FileContent }) {
  const [src, setSrc] = useState<string>();
  const requestedAt = useRef(0);
  const poster = useThumbnailUrl(id, content.thumbnail === null ? "none" : "video");
  useEffect(() => {
    let isUnmounted = false;
    requestedAt.current = performance.now();
    const load = async () => {
      const address = await getStreamUrl(id);
      if (!isUnmounted && address !== undefined) setSrc(address);
    };
    void load();
    return () => {
      isUnmounted = true;
    };
  }, [id]);
  const renew = () => {
    if (performance.now() - requestedAt.current < MIN_RENEWAL_AGE_MS) return false;
    requestedAt.current = performance.now();
    void getStreamUrl(id).then((address) => setSrc((current) => address ?? current));
    return true;
  };
  // Videos that were not uploaded from this browser, for example from Drive, are probed when first played.
  const onFirstFrame =
    content.thumbnail === null ? (element: HTMLVideoElement) => void probePlayedVideo(id, element) : undefined;
  const firstFrameProps = onFirstFrame ? { onShown: onFirstFrame } : {};
  return (
    <FilePlayer
      src={src}
      title={content.title || content.file.name}
      autoPlay={false}
      poster={poster}
      renew={renew}
      {...firstFrameProps}
    />
  );
}

function LinkedPlayer({ content }: { content: FileContent }) {
  const [isAllowed, setAllowed] = useState(false);
  const { host } = new URL(content.url);
  if (!isAllowed)
    return (
      <ConsentPrompt
        text={t("video.link_ask", { host })}
        button={t("video.play_link", { host })}
        onPlay={() => setAllowed(true)}
      />
    );
  return <FilePlayer src={content.url} title={content.title} autoPlay renew={() => false} />;
}

function FramedPlayer({ videoId, content }: { videoId: string; content: FileContent }) {
  const [isAllowed, setAllowed] = useState(false);
  if (isAllowed) return <YoutubePlayer videoId={videoId} title={content.title} />;
  const secondaryAction = (
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
    <ConsentPrompt
      text={t("video.youtube_ask")}
      button={t("video.play_youtube")}
      secondaryAction={secondaryAction}
      onPlay={() => setAllowed(true)}
    />
  );
}

/** The player for the video's location: uploaded, YouTube, or elsewhere on the web. */
export function VideoPlayer({ component }: Props) {
  if (component.type !== "video") return null;
  const { content, _id } = component;
  const videoId = videoIdOf(content.file.id);
  if (videoId !== undefined) return <FramedPlayer key={_id} videoId={videoId} content={content} />;
  if (content.videoType === "url") return <LinkedPlayer key={_id} content={content} />;
  return <StoredPlayer key={_id} id={_id} content={content} />;
}
