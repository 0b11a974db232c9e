import { useAtomValue } from "jotai/react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { userAtom } from "#webapp/app/session/session.ts";

interface Props {
  names: readonly string[];
  /** Text that says what this server cannot do. */
  what: string;
  /** Text for students that says whom to ask. */
  ask: string;
}

const list = new Intl.ListFormat(documentLanguage(), { type: "conjunction" });

/** Explains that the server is not configured. Only administrators see the names of the missing settings. */
export function MissingSettings({ names, what, ask }: Props) {
  const isAdmin = useAtomValue(userAtom)?.isAdmin ?? false;
  return (
    <div className="connection-note">
      <p>
        {what} {!isAdmin && ask}
      </p>
      {isAdmin && <p>{t("connections.not_set_how", { names: list.format(names) })}</p>}
    </div>
  );
}
