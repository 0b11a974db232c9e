import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";

interface Props {
  /** The list's name, because a screen may have several lists. */
  label: string;
  isPending: boolean;
  onClick: () => void;
}

export const LoadMore = ({ label, isPending, onClick }: Props) => (
  <Button variant="quiet" pending={isPending} aria-label={t("admin.load_more_of", { list: label })} onClick={onClick}>
    {t("admin.load_more")}
  </Button>
);
