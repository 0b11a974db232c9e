import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";

interface Props {
  /** The look depends on the place of the list. */
  className: string;
  message: string;
  onRetry: () => void;
  disabled?: boolean;
}

/** Says in place of a list that it could not be loaded, with a button that tries again. */
export function ListLoadError({ className, message, onRetry, disabled = false }: Props) {
  return (
    <div className={className} role="alert">
      <p>{message}</p>
      <Button disabled={disabled} onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
