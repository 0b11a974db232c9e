import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being printed, so that collapsed content can be rendered in full before. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // Browsers print the state of the page at the time when these listeners return.
    const startPrinting = () => flushSync(() => setPrinting(true));
    const stopPrinting = () => setPrinting(false);
    window.addEventListener("beforeprint", startPrinting);
    window.addEventListener("afterprint", stopPrinting);
    return () => {
      window.removeEventListener("beforeprint", startPrinting);
      window.removeEventListener("afterprint", stopPrinting);
    };
  }, []);
  return isPrinting;
}
