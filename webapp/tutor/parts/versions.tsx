import { ChevronLeft, ChevronRight } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { siblingsOf } from "#shared/tutor/branches.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";

interface Props {
  message: Message;
  all: readonly Message[];
  onShow: (message: Message) => void;
}

/** Switches between the versions of a message. */
export function Versions({ message, all, onShow }: Props) {
  const siblings = siblingsOf(all, message);
  if (siblings.length < 2) return null;
  const index = siblings.findIndex(({ _id }) => _id === message._id);
  const show = (version: Message | undefined) => version && onShow(version);
  return (
    <span className="message-versions">
      <IconButton
        label={t("tutor.branch_before")}
        icon={<ChevronLeft aria-hidden />}
        // Not `disabled`, which would lose the focus.
        aria-disabled={index === 0}
        onClick={() => show(siblings[index - 1])}
      />
      <span>{t("tutor.branch", { at: index + 1, count: siblings.length })}</span>
      <IconButton
        label={t("tutor.branch_after")}
        icon={<ChevronRight aria-hidden />}
        aria-disabled={index === siblings.length - 1}
        onClick={() => show(siblings[index + 1])}
      />
    </span>
  );
}
