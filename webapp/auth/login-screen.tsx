import { Link, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { unsavedAtSignOutAtom } from "#webapp/offline/sync-status.ts";
import { EmailField } from "./parts/email-field.tsx";
import { OAuthButtons } from "./parts/oauth-buttons.tsx";
import { PasswordField } from "./parts/password-field.tsx";
import { useAuthForm } from "./parts/use-auth-form.ts";
import { useSignInMethods } from "./parts/use-sign-in-methods.ts";
import { validateSignIn, signIn } from "./state.ts";

export function LoginScreen() {
  const { form, values, setField, errors, pending, submit } = useAuthForm({ check: validateSignIn, send: signIn });
  const signInMethods = useSignInMethods();
  // `for` says why a screen asked the visitor to sign in, and `from` is the path to return to.
  const search: { for?: unknown; from?: unknown } = useSearch({ strict: false });
  const isForCopy = search.for === "copy";
  const unsavedCount = useAtomValue(unsavedAtSignOutAtom);
  return (
    <>
      <h1>{t(isForCopy ? "auth.sign_in_to_copy" : "auth.sign_in_title")}</h1>
      {isForCopy && <p className="centered-text">{t("auth.sign_in_to_copy_text")}</p>}
      {unsavedCount > 0 && (
        <p className="centered-text" role="status">
          {t("auth.unsaved_on_device", { count: unsavedCount })}
        </p>
      )}
      <form ref={form} className="centered-form" method="post" noValidate onSubmit={(event) => void submit(event)}>
        {errors.all !== undefined && (
          <p className="centered-refusal" role="alert">
            {errors.all}
          </p>
        )}
        <EmailField error={errors.email} value={values.email} onValue={setField("email")} />
        <PasswordField
          autoComplete="current-password"
          error={errors.password}
          value={values.password}
          onValue={setField("password")}
        />
        <Button type="submit" variant="primary" size="l" pending={pending}>
          {t(pending ? "auth.signing_in" : "auth.sign_in")}
        </Button>
      </form>
      <p className="centered-aside">
        <Link to={screenPath("forgotPassword", {})}>{t("auth.forgot")}</Link>
      </p>
      <OAuthButtons entry={signInMethods} />
      {signInMethods?.registration !== "closed" && (
        <p className="centered-aside">
          {t("auth.new_here")}{" "}
          <Link to={screenPath("register", {})} search={search}>
            {t("auth.create_account")}
          </Link>
        </p>
      )}
    </>
  );
}
