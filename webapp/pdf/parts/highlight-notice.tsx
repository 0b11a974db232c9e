import { useAtomValue } from "jotai/react";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { quoteHighlightAtom, clearHighlight, type PagedDocument } from "../state.ts";

/** Reports whether the quoted text was found. */
export function HighlightNotice({ flow }: PagedDocument) {
  const highlightState = useAtomValue(quoteHighlightAtom);
  const { page } = useSyncExternalStore(flow.subscribe, flow.view);
  const formatNotice = () => {
    switch (highlightState.state) {
      case "looking":
        return t("pdf.quote_searching");
      case "absent":
        // Hidden once the student has moved to another page.
        return highlightState.page === page ? t("pdf.quote_not_found", { page }) : "";
      case "shown":
        return highlightState.highlight.isExact ? "" : t("pdf.quote_near");
      case "none":
        return "";
      default:
        return highlightState satisfies never;
    }
  };
  const notice = formatNotice();
  return (
    <div className="pdf-note-place" role="status">
      {highlightState.state === "shown" && highlightState.highlight.isExact && (
        <span className="visually-hidden">
          {t("pdf.quote_highlighted", { page: highlightState.highlight.pieces[0]?.page ?? 1 })}
        </span>
      )}
      {notice !== "" && (
        <p className="pdf-note">
          {notice}
          {highlightState.state !== "looking" && (
            <IconButton label={t("common.dismiss")} icon={<X aria-hidden />} onClick={clearHighlight} />
          )}
        </p>
      )}
    </div>
  );
}
