import { Link } from "@tanstack/react-router";
import { useState, type SyntheticEvent } from "react";
import { MIN_PASSWORD_LENGTH } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { PasswordField } from "./parts/password-field.tsx";
import { resetPassword, takeLinkToken } from "./recovery.ts";

export function ResetScreen() {
  const [token] = useState(takeLinkToken);
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <div role="status">
        <h1>{t("auth.reset_done")}</h1>
        <p className="centered-text">{t("auth.reset_done_text")}</p>
        <p className="centered-form">
          <Link className="button button-primary button-l" to={screenPath("login", {})}>
            {t("auth.sign_in")}
          </Link>
        </p>
      </div>
    );
  return (
    <>
      <h1>{t("auth.reset_title")}</h1>
      <p className="centered-text">{t(token === undefined ? "auth.link_missing" : "auth.reset_text")}</p>
      {token !== undefined && <NewPassword token={token} onDone={() => setDone(true)} />}
      <p className="centered-aside">
        <Link to={screenPath("forgotPassword", {})}>{t("auth.request_new_link")}</Link>
      </p>
    </>
  );
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (pending) return;
    if (password.length < MIN_PASSWORD_LENGTH) {
      setError(t("auth.password_short", { count: MIN_PASSWORD_LENGTH }));
      return;
    }
    setPending(true);
    const submitError = await resetPassword(token, password);
    setPending(false);
    setError(submitError);
    if (submitError === undefined) onDone();
  };
  return (
    <form className="centered-form" noValidate onSubmit={(event) => void submit(event)}>
      <PasswordField
        label={t("auth.new_password")}
        autoComplete="new-password"
        hint={t("auth.password_hint", { count: MIN_PASSWORD_LENGTH })}
        error={error}
        value={password}
        onValue={(value) => {
          setPassword(value);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="primary" size="l" pending={pending}>
        {t("auth.reset_save")}
      </Button>
    </form>
  );
}
