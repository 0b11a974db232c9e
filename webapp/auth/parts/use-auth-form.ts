import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState, type SyntheticEvent } from "react";
import { readEarlyForm } from "#webapp/app/early-form.ts";
import { resolveReturnPath } from "#webapp/app/session/return-path.ts";
import type { AuthFormValues, AuthFormErrors } from "../state.ts";

interface AuthFormOptions {
  check: (values: AuthFormValues) => AuthFormErrors;
  send: (values: AuthFormValues) => Promise<AuthFormErrors>;
}

/** The sign-in or registration form: its values, its errors by field, and its submission with the redirect. */
export function useAuthForm({ check, send }: AuthFormOptions) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<AuthFormValues>({ name: "", email: "", password: "" });
  const [errors, setErrors] = useState<AuthFormErrors>({});
  const [pending, setPending] = useState(false);

  useLayoutEffect(() => takeOverEarlyForm(form.current, setValues), []);

  const setField = (field: keyof AuthFormValues) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== field && key !== "all")));
  };

  const showErrors = (foundErrors: AuthFormErrors) => {
    setErrors(foundErrors);
    const field = Object.keys(foundErrors)[0];
    form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  };

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (pending) return;
    const clientErrors = check(values);
    if (Object.keys(clientErrors).length > 0) return showErrors(clientErrors);
    setPending(true);
    const serverErrors = await send(values);
    setPending(false);
    if (Object.keys(serverErrors).length > 0) return showErrors(serverErrors);
    const { from } = router.state.location.search as { from?: unknown };
    await router.navigate({ href: resolveReturnPath(from), replace: true });
  };

  return { form, values, setField, errors, pending, submit };
}

/** Takes over the values of the prerendered form, and submits them if the visitor had submitted that form. */
function takeOverEarlyForm(form: HTMLFormElement | null, setValues: (values: AuthFormValues) => void): void {
  const early = readEarlyForm();
  if (early === undefined) return;
  setValues({ name: "", email: "", password: "", ...early.values });
  // Submit after the fields have been rendered with their values.
  if (early.isSubmitted) setTimeout(() => form?.requestSubmit());
}
