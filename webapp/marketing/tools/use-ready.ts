import { useEffect } from "react";

/** Marks the tool as ready once its prerendered markup has been hydrated. */
export function useReady(): void {
  useEffect(() => {
    const root = document.getElementById("tool");
    if (root) root.dataset["ready"] = "true";
  }, []);
}
