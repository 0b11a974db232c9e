import { useEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";

/** Loads early enough that a reader who scrolls does not wait. */
const MARGIN = "1500px";

interface Props {
  state: "idle" | "loading" | "failed";
  onLoad: () => void;
}

/** Loads the next part when the reader comes near the end or presses the button. */
export function NextPart({ state, onLoad }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    // After a failure, only the button loads again.
    if (!element || state !== "idle" || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onLoad(), { rootMargin: MARGIN });
    observer.observe(element);
    return () => observer.disconnect();
  }, [state, onLoad]);
  return (
    <div className="shared-next" ref={ref}>
      {state === "failed" && <p role="alert">{t("sharing.shared_failed")}</p>}
      <Button pending={state === "loading"} onClick={onLoad}>
        {t(state === "failed" ? "common.retry" : "sharing.explore_more")}
      </Button>
    </div>
  );
}
