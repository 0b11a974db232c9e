import { useAtomValue } from "jotai/react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { userAtom } from "#webapp/app/session/session.ts";

interface Props {
  names: readonly string[];
  /** What this server cannot do. */
  what: string;
  /** What a student can do about it. */
  ask: string;
}

const list = new Intl.ListFormat(documentLanguage(), { type: "conjunction" });

/** The names of the server's settings are for an administrator alone. */
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
