import { SlidersHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { NARROW_LIST } from "#webapp/app/breakpoints.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import "./filter-sheet.css";

interface Props {
  label: string;
  /** Whether any control is set. The button of the closed sheet shows this. */
  isSet: boolean;
  children: ReactNode;
}

/** Controls that filter a list: side by side if they fit, or in a sheet that a button opens on a phone. */
export function FilterSheet({ label, isSet, children }: Props) {
  const isNarrow = useMediaQuery(NARROW_LIST);
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow) return children;
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        className="filter-sheet-open"
        label={isSet ? t("common.label_active", { label }) : label}
        aria-haspopup="dialog"
        data-set={isSet}
        icon={<SlidersHorizontal aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <Dialog
        open={isOpen}
        title={label}
        onClose={close}
        closeLabel={t("common.close")}
        footer={
          <Button variant="primary" onClick={close}>
            {t("common.done")}
          </Button>
        }
      >
        <div className="filter-sheet">{children}</div>
      </Dialog>
    </>
  );
}
