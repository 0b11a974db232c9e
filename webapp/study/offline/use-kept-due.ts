import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { dueAtom } from "../due.ts";

/** Long enough for what is on the screen to come first. */
const PATIENCE_MS = 3000;

/** While the student looks at what is due, it comes onto this device, to be studied without a network. */
export function useKeptDue(): void {
  const due = useAtomValue(dueAtom);
  useEffect(() => {
    if (due.state !== "ready") return undefined;
    const { decks } = due;
    const timer = setTimeout(() => void import("./keep-due.ts").then(({ keepDue }) => keepDue(decks)), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [due]);
}
