import { Link } from "@tanstack/react-router";
import { useState, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmailField } from "./parts/email-field.tsx";
import { useSignInMethods } from "./parts/use-sign-in-methods.ts";
import { requestPasswordReset } from "./recovery.ts";
import { validateEmail } from "./state.ts";

export function ForgotScreen() {
  const signInMethods = useSignInMethods();
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [step, setStep] = useState<"asking" | "pending" | "sent">("asking");

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (step === "pending") return;
    const emailError = validateEmail(email).email;
    setError(emailError);
    if (emailError !== undefined) return;
    setStep("pending");
    const submitError = await requestPasswordReset(email);
    setError(submitError);
    setStep(submitError === undefined ? "sent" : "asking");
  };

  const back = (
    <p className="centered-aside">
      <Link to={screenPath("login", {})}>{t("auth.back_to_sign_in")}</Link>
    </p>
  );
  if (step === "sent")
    return (
      <div role="status">
        <h1>{t("auth.forgot_sent")}</h1>
        <p className="centered-text">{t("auth.forgot_sent_text", { email: email.trim() })}</p>
        {back}
      </div>
    );
  return (
    <>
      <h1>{t("auth.forgot_title")}</h1>
      <p className="centered-text">{t(signInMethods?.mail === false ? "auth.forgot_no_mail" : "auth.forgot_text")}</p>
      {signInMethods?.mail !== false && (
        <form className="centered-form" noValidate onSubmit={(event) => void submit(event)}>
          <EmailField
            error={error}
            value={email}
            onValue={(value) => {
              setEmail(value);
              setError(undefined);
            }}
          />
          <Button type="submit" variant="primary" size="l" pending={step === "pending"}>
            {t("auth.forgot_send")}
          </Button>
        </form>
      )}
      {back}
    </>
  );
}
