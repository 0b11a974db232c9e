import { useEffect } from "react";

/** Marks the tool as usable: until then its markup is that of the build. */
export function useReady(): void {
  useEffect(() => {
    const root = document.getElementById("tool");
    if (root) root.dataset["ready"] = "true";
  }, []);
}
