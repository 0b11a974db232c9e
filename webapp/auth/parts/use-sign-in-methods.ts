import { useEffect, useState } from "react";
import type { SignInOptions } from "#shared/auth/contract.ts";
import { fetchSignInMethods } from "../recovery.ts";

/** The sign-in methods of this server; undefined until loaded. */
export function useSignInMethods(): SignInOptions | undefined {
  const [methods, setMethods] = useState<SignInOptions>();
  useEffect(() => {
    let isMounted = true;
    void fetchSignInMethods().then((loaded) => isMounted && setMethods(loaded));
    return () => {
      isMounted = false;
    };
  }, []);
  return methods;
}
