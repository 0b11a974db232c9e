import { useAtom } from "jotai/react";
import { ThumbsDown, ThumbsUp, X } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useRating } from "#webapp/feedback/use-rating.tsx";
import { acceptedCompletionAtom } from "../completion-requests.ts";
import "./completion-rating.css";

/** The rating closes after this time without a press. */
const SHOWN_MS = 20_000;

/** Thumbs for the completion that was accepted last, at the edge of the page so that they do not interrupt writing. */
export function CompletionRating({ pageId }: { pageId: string }) {
  const [accepted, setAccepted] = useAtom(acceptedCompletionAtom);
  if (accepted?.pageId !== pageId) return null;
  return <Thumbs key={accepted.id} id={accepted.id} text={accepted.text} onClose={() => setAccepted(null)} />;
}

interface ThumbsProps {
  id: string;
  text: string;
  onClose: () => void;
}

function Thumbs({ id, text, onClose }: ThumbsProps) {
  const { value, rate, dialog } = useRating({ kind: "completion", id, text });
  const [isRated, setRated] = useState(false);
  useEffect(() => {
    if (isRated) return undefined;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isRated, onClose]);
  const press = async (thumb: "up" | "down") => {
    setRated(true);
    await rate(thumb);
  };
  return (
    <div className="completion-rating" role="group" aria-label={t("rating.completion")}>
      <span aria-hidden>{t("rating.completion")}</span>
      <IconButton
        label={t("rating.completion_up")}
        icon={<ThumbsUp aria-hidden />}
        aria-pressed={value === "up"}
        onClick={() => void press("up")}
      />
      <IconButton
        label={t("rating.completion_down")}
        icon={<ThumbsDown aria-hidden />}
        aria-pressed={value === "down"}
        onClick={() => void press("down")}
      />
      <IconButton label={t("common.close")} icon={<X aria-hidden />} onClick={onClose} />
      {dialog}
    </div>
  );
}
