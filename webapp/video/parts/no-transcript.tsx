import { useAtomValue } from "jotai/react";
import { useRef, useState } from "react";
import { RefreshCw, Upload } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import type { NoTranscriptReason } from "#shared/video/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { refreshTranscript, busyAtom, uploadCaptions, type VideoInfo } from "../state.ts";
import { TranscriptionOffer } from "./transcription-offer.tsx";
import { listCaptionLanguages } from "../languages.ts";

/** Uploads a captions file in a chosen language. */
export function CaptionsUpload() {
  const input = useRef<HTMLInputElement>(null);
  const languages = listCaptionLanguages();
  const [language, setLanguage] = useState(languages[0]?.value ?? "en");
  const busy = useAtomValue(busyAtom);
  return (
    <div className="captions-upload">
      <Select
        label={t("video.captions_language")}
        hint={t("video.captions_hint")}
        value={language}
        options={languages}
        onValue={setLanguage}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept=".vtt,.srt,text/vtt,application/x-subrip"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void uploadCaptions(file, language);
          event.target.value = "";
        }}
      />
      <Button icon={<Upload aria-hidden />} pending={busy === "captions"} onClick={() => input.current?.click()}>
        {t("video.upload_captions")}
      </Button>
    </div>
  );
}

interface Props {
  message: string;
  reason: NoTranscriptReason | null;
  info: VideoInfo;
}

/** Explains why there is no transcript, and offers ways to add one. */
export function NoTranscript({ message, reason, info }: Props) {
  const isYoutube = info.component.type === "video" && info.component.content.videoType === "youtube";
  const busy = useAtomValue(busyAtom);
  return (
    <div className="no-transcript">
      <EmptyState title={t("video.none_title")}>
        <p>{message}</p>
        {isYoutube && <p>{t("video.in_browser")}</p>}
      </EmptyState>
      {isYoutube && reason !== "no_captions" && (
        <Button icon={<RefreshCw aria-hidden />} pending={busy === "refresh"} onClick={() => void refreshTranscript()}>
          {t("video.check_again")}
        </Button>
      )}
      <CaptionsUpload />
      <TranscriptionOffer id={info.component._id} speech={info.speech} />
    </div>
  );
}
