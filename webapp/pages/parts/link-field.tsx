import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";

interface Props {
  onLink: (address: string | null) => void;
  onCancel: () => void;
  canRemove: boolean;
}

/** An address without a scheme is taken as a web or mail address. */
function toAddress(typed: string): string | undefined {
  const address = typed.trim();
  if (/^(?:https?:\/\/|mailto:|\/(?!\/))\S+$/i.test(address)) return address;
  if (/^\S+@\S+\.\S+$/.test(address)) return `mailto:${address}`;
  return /^[^\s:/]+\.[^\s:]+$/.test(address) ? `https://${address}` : undefined;
}

/** A form for the address of a link. */
export function LinkField({ onLink, onCancel, canRemove }: Props) {
  const [typed, setTyped] = useState("");
  const address = toAddress(typed);
  return (
    <form
      className="format-link"
      onSubmit={(event) => {
        event.preventDefault();
        if (address !== undefined) onLink(address);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <input
        // Opened for typing, so it is focused at once.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className="field-control"
        type="text"
        inputMode="url"
        aria-label={t("pages.format_link_address")}
        placeholder="https://"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="primary" disabled={address === undefined}>
        {t("pages.format_link_apply")}
      </Button>
      {canRemove && (
        <Button variant="quiet" onClick={() => onLink(null)}>
          {t("pages.format_link_remove")}
        </Button>
      )}
    </form>
  );
}
