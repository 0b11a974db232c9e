import { useRouter } from "@tanstack/react-router";
import { useRef, useState, type SyntheticEvent } from "react";
import { returnPath } from "#webapp/app/session/return-path.ts";
import type { Entered, Faults } from "../state.ts";

interface Entry {
  check: (entered: Entered) => Faults;
  send: (entered: Entered) => Promise<Faults>;
}

/** Shared by sign-in and registration: fields, errors per field, a single submission at a time, and the redirect. */
export function useEntry({ check, send }: Entry) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState<Entered>({ name: "", email: "", password: "" });
  const [faults, setFaults] = useState<Faults>({});
  const [pending, setPending] = useState(false);

  const enter = (field: keyof Entered) => (value: string) => {
    setEntered((before) => ({ ...before, [field]: value }));
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([at]) => at !== field && at !== "all")));
  };

  const stopAt = (found: Faults) => {
    setFaults(found);
    const field = Object.keys(found)[0];
    form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  };

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (pending) return;
    const own = check(entered);
    if (Object.keys(own).length > 0) return stopAt(own);
    setPending(true);
    const refused = await send(entered);
    setPending(false);
    if (Object.keys(refused).length > 0) return stopAt(refused);
    const { from } = router.state.location.search as { from?: unknown };
    await router.navigate({ href: returnPath(from), replace: true });
  };

  return { form, entered, enter, faults, pending, submit };
}
