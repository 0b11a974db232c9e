import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { keptForLaterAtom } from "#webapp/offline/sync-status.ts";
import { EmailField } from "./parts/email-field.tsx";
import { IssuerButtons } from "./parts/issuer-buttons.tsx";
import { PasswordField } from "./parts/password-field.tsx";
import { useEntry } from "./parts/use-entry.ts";
import { useWayIn } from "./parts/use-way-in.ts";
import { faultsOfSignIn, signIn } from "./state.ts";

export function LoginScreen() {
  const { form, entered, enter, faults, pending, submit } = useEntry({ check: faultsOfSignIn, send: signIn });
  const entry = useWayIn();
  const kept = useAtomValue(keptForLaterAtom);
  return (
    <>
      <h1>{t("auth.sign_in_title")}</h1>
      {kept > 0 && (
        <p className="centered-text" role="status">
          {t("auth.kept_for_later", { count: kept })}
        </p>
      )}
      <form ref={form} className="centered-form" noValidate onSubmit={(event) => void submit(event)}>
        {faults.all !== undefined && (
          <p className="centered-refusal" role="alert">
            {faults.all}
          </p>
        )}
        <EmailField error={faults.email} value={entered.email} onValue={enter("email")} />
        <PasswordField
          autoComplete="current-password"
          error={faults.password}
          value={entered.password}
          onValue={enter("password")}
        />
        <Button type="submit" variant="primary" size="l" pending={pending}>
          {t(pending ? "auth.signing_in" : "auth.sign_in")}
        </Button>
      </form>
      <p className="centered-aside">
        <Link to={screenPath("forgotPassword", {})}>{t("auth.forgot")}</Link>
      </p>
      <IssuerButtons entry={entry} />
      {entry?.registration !== "closed" && (
        <p className="centered-aside">
          {t("auth.new_here")} <Link to={screenPath("register", {})}>{t("auth.make_account")}</Link>
        </p>
      )}
    </>
  );
}
