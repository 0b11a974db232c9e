import { useState } from "react";
import { screenPath } from "#shared/screens.ts";
import { word } from "../words.ts";

interface SaveResultProps {
  title: string;
  text: string;
  label: string;
  isDisabled?: boolean;
  /** Stores the result for the app, and returns false if the browser cannot store it. */
  store: () => boolean;
}

/** Leaves a result to the app, and opens registration or the workspace. */
export function SaveResult({ title, text, label, isDisabled = false, store }: SaveResultProps) {
  const [hasFailed, setFailed] = useState(false);
  const keep = () => {
    const isStored = store();
    setFailed(!isStored);
    if (!isStored) return;
    const isSignedIn = document.documentElement.classList.contains("signed-in");
    location.assign(screenPath(isSignedIn ? "home" : "register", {}));
  };
  return (
    <footer className="tool-keep">
      <div>
        <h2>{title}</h2>
        <p role="status">{hasFailed ? word("keep_failed") : text}</p>
      </div>
      <button type="button" className="button button-primary button-l" disabled={isDisabled} onClick={keep}>
        {label}
      </button>
    </footer>
  );
}
