import { Link, useSearch } from "@tanstack/react-router";
import { MIN_PASSWORD_LENGTH, type SignInOptions } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { EmailField } from "./parts/email-field.tsx";
import { OAuthButtons } from "./parts/oauth-buttons.tsx";
import { PasswordField } from "./parts/password-field.tsx";
import { useAuthForm } from "./parts/use-auth-form.ts";
import { useSignInMethods } from "./parts/use-sign-in-methods.ts";
import { validateRegistration, readInvite, register } from "./state.ts";

export function RegisterScreen() {
  const signInMethods = useSignInMethods();
  // Passed on to the sign-in screen, so that a student who has an account also returns to where they came from.
  const search: Record<string, unknown> = useSearch({ strict: false });
  const blocker = registrationBlocker(signInMethods);
  const signInLink = (
    <p className="centered-aside">
      {t("auth.have_account")}{" "}
      <Link to={screenPath("login", {})} search={search}>
        {t("auth.sign_in")}
      </Link>
    </p>
  );
  if (blocker !== undefined)
    return (
      <>
        <h1>{t("auth.register_title")}</h1>
        <p className="centered-text">{blocker}</p>
        {signInLink}
      </>
    );
  return (
    <>
      <h1>{t("auth.register_title")}</h1>
      <p className="centered-text">{t(readInvite() === undefined ? "auth.register_text" : "auth.invited")}</p>
      <RegisterForm />
      <OAuthButtons entry={signInMethods} />
      {signInLink}
    </>
  );
}

function RegisterForm() {
  const { form, values, setField, errors, pending, submit } = useAuthForm({
    check: validateRegistration,
    send: register,
  });
  return (
    <form ref={form} className="centered-form" method="post" noValidate onSubmit={(event) => void submit(event)}>
      {errors.all !== undefined && (
        <p className="centered-refusal" role="alert">
          {errors.all}
        </p>
      )}
      <TextField
        label={t("auth.name")}
        name="name"
        autoComplete="name"
        required
        error={errors.name}
        value={values.name}
        onChange={(event) => setField("name")(event.target.value)}
      />
      <EmailField error={errors.email} value={values.email} onValue={setField("email")} />
      <PasswordField
        autoComplete="new-password"
        hint={t("auth.password_hint", { count: MIN_PASSWORD_LENGTH })}
        error={errors.password}
        value={values.password}
        onValue={setField("password")}
      />
      <Button type="submit" variant="primary" size="l" pending={pending}>
        {t(pending ? "auth.creating_account" : "auth.create_account")}
      </Button>
      <BeforeRegistering />
    </form>
  );
}

/** Links to pages that a visitor may want to read first. They open in a new tab, so that the form is not lost. */
function BeforeRegistering() {
  return (
    <div className="centered-small">
      <p>
        {t("auth.register_free")} <DocumentLink href={`${screenPath("pricing", {})}#free`} text="register_includes" />
      </p>
      <p>
        <DocumentLink href={screenPath("terms", {})} text="terms" /> ·{" "}
        <DocumentLink href={screenPath("privacy", {})} text="privacy" />
      </p>
    </div>
  );
}

const DocumentLink = ({ href, text }: { href: string; text: "register_includes" | "terms" | "privacy" }) => (
  <a href={href} target="_blank">
    {t(`auth.${text}`)}
  </a>
);

/** Why registration is not possible, shown instead of the form. */
function registrationBlocker(signInMethods: SignInOptions | undefined): string | undefined {
  if (signInMethods?.registration === "closed") return t("auth.registration_closed");
  return signInMethods?.registration === "invite" && readInvite() === undefined ? t("auth.invite_needed") : undefined;
}
