import { useEffect, useState } from "react";
import type { Entry } from "#shared/auth/contract.ts";
import { loadEntry } from "../recovery.ts";

/** The sign-in methods of this server; undefined until loaded. */
export function useWayIn(): Entry | undefined {
  const [entry, setEntry] = useState<Entry>();
  useEffect(() => {
    let isHere = true;
    void loadEntry().then((loaded) => isHere && setEntry(loaded));
    return () => {
      isHere = false;
    };
  }, []);
  return entry;
}
