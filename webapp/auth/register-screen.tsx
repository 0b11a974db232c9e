import { Link } from "@tanstack/react-router";
import { MIN_PASSWORD_LENGTH, type Entry } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { EmailField } from "./parts/email-field.tsx";
import { IssuerButtons } from "./parts/issuer-buttons.tsx";
import { PasswordField } from "./parts/password-field.tsx";
import { useEntry } from "./parts/use-entry.ts";
import { useWayIn } from "./parts/use-way-in.ts";
import { faultsOfRegistration, readInvite, register } from "./state.ts";

export function RegisterScreen() {
  const entry = useWayIn();
  const refusal = refusalOf(entry);
  const signInInstead = (
    <p className="centered-aside">
      {t("auth.have_account")} <Link to={screenPath("login", {})}>{t("auth.sign_in")}</Link>
    </p>
  );
  if (refusal !== undefined)
    return (
      <>
        <h1>{t("auth.register_title")}</h1>
        <p className="centered-text">{refusal}</p>
        {signInInstead}
      </>
    );
  return (
    <>
      <h1>{t("auth.register_title")}</h1>
      <p className="centered-text">{t(readInvite() === undefined ? "auth.register_text" : "auth.invited")}</p>
      <RegisterForm />
      <IssuerButtons entry={entry} />
      {signInInstead}
    </>
  );
}

function RegisterForm() {
  const { form, entered, enter, faults, pending, submit } = useEntry({ check: faultsOfRegistration, send: register });
  return (
    <form ref={form} className="centered-form" noValidate onSubmit={(event) => void submit(event)}>
      {faults.all !== undefined && (
        <p className="centered-refusal" role="alert">
          {faults.all}
        </p>
      )}
      <TextField
        label={t("auth.name")}
        name="name"
        autoComplete="name"
        required
        error={faults.name}
        value={entered.name}
        onChange={(event) => enter("name")(event.target.value)}
      />
      <EmailField error={faults.email} value={entered.email} onValue={enter("email")} />
      <PasswordField
        autoComplete="new-password"
        hint={t("auth.password_hint", { count: MIN_PASSWORD_LENGTH })}
        error={faults.password}
        value={entered.password}
        onValue={enter("password")}
      />
      <Button type="submit" variant="primary" size="l" pending={pending}>
        {t(pending ? "auth.making_account" : "auth.make_account")}
      </Button>
    </form>
  );
}

/** Why registration is not possible, shown instead of the form. */
function refusalOf(entry: Entry | undefined): string | undefined {
  if (entry?.registration === "closed") return t("auth.registration_closed");
  return entry?.registration === "invite" && readInvite() === undefined ? t("auth.invite_needed") : undefined;
}
