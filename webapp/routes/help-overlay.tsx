import { HelpSearchField } from "#webapp/marketing/help-search-field.tsx";
import { ShortcutsDialog } from "#webapp/ui/shortcuts-dialog.tsx";

/** What `?` opens: the help by its words, and the keyboard shortcuts. */
export const HelpOverlay = ({ onClose }: { onClose: () => void }) => (
  <ShortcutsDialog onClose={onClose} top={<HelpSearchField />} />
);
