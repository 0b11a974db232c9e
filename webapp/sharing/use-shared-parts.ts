import { useCallback, useState } from "react";
import type { SharedItem } from "#shared/sharing/schema.ts";
import { client } from "#webapp/app/client.ts";

type LoadState = "idle" | "loading" | "failed";

/** The components of a shared item that are loaded so far, and a function that loads the next part. */
export function useSharedParts({ _id, components: first, next: second }: SharedItem) {
  const [components, setComponents] = useState(first);
  const [next, setNext] = useState(second);
  const [state, setState] = useState<LoadState>("idle");
  const loadNext = useCallback(async () => {
    if (next === undefined || state === "loading") return;
    setState("loading");
    try {
      const { shared } = await client.sharing.openShare({ share: _id, from: next });
      // The owner may have inserted components above, which moves components that are already loaded into this part.
      setComponents((loaded) => {
        const ids = new Set(loaded.map((component) => component._id));
        return [...loaded, ...shared.components.filter((component) => !ids.has(component._id))];
      });
      setNext(shared.next);
      setState("idle");
    } catch {
      setState("failed");
    }
  }, [_id, next, state]);
  return { components, hasNext: next !== undefined, state, loadNext };
}
