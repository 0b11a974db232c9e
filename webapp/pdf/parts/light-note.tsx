import { useAtomValue } from "jotai/react";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { lightStateAtom, putOutLight, type PagedDocument } from "../state.ts";

/** Reports whether the quoted text was found. */
export function LightNote({ flow }: PagedDocument) {
  const light = useAtomValue(lightStateAtom);
  const { page } = useSyncExternalStore(flow.subscribe, flow.view);
  const said = () => {
    switch (light.state) {
      case "looking":
        return t("pdf.quote_looking");
      case "absent":
        // Hidden once the student has moved to another page.
        return light.page === page ? t("pdf.quote_absent", { page }) : "";
      case "lit":
        return light.lit.isExact ? "" : t("pdf.quote_near");
      case "none":
        return "";
      default:
        return light satisfies never;
    }
  };
  const words = said();
  return (
    <div className="pdf-note-place" role="status">
      {light.state === "lit" && light.lit.isExact && (
        <span className="visually-hidden">{t("pdf.quote_lit", { page: light.lit.pieces[0]?.page ?? 1 })}</span>
      )}
      {words !== "" && (
        <p className="pdf-note">
          {words}
          {light.state !== "looking" && (
            <IconButton label={t("common.dismiss")} icon={<X aria-hidden />} onClick={putOutLight} />
          )}
        </p>
      )}
    </div>
  );
}
