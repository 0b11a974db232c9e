import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { openOverlay } from "#webapp/app/overlays.ts";
import { HelpSearchField } from "#webapp/marketing/help-search-field.tsx";
import { ShortcutsDialog } from "#webapp/ui/shortcuts-dialog.tsx";

/** The dialog that `?` opens: a search of the help, and the keyboard shortcuts. */
export const HelpOverlay = ({ onClose }: { onClose: () => void }) => (
  <ShortcutsDialog
    onClose={onClose}
    top={
      <div ref={(top) => focusInDialog(top?.querySelector("input") ?? null)}>
        <HelpSearchField />
        <p className="keys-links">
          <ButtonLink href={screenPath("help", {})} target="_blank">
            {t("overlays.help_all")}
          </ButtonLink>
          <Button variant="quiet" onClick={() => openOverlay("feedback")}>
            {t("overlays.feedback_title")}
          </Button>
        </p>
      </div>
    }
  />
);
