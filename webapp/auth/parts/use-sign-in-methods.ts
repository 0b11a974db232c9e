import { useEffect, useState } from "react";
import type { Entry } from "#shared/auth/contract.ts";
import { fetchSignInMethods } from "../recovery.ts";

/** The sign-in methods of this server; undefined until loaded. */
export function useSignInMethods(): Entry | undefined {
  const [methods, setMethods] = useState<Entry>();
  useEffect(() => {
    let isMounted = true;
    void fetchSignInMethods().then((loaded) => isMounted && setMethods(loaded));
    return () => {
      isMounted = false;
    };
  }, []);
  return methods;
}
