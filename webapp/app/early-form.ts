/** The form that the document had before the app; null where the app's own document was opened. */
const earlyElement = () => document.getElementById("early");

export interface EarlyForm {
  values: Record<string, string>;
  isSubmitted: boolean;
}

/** What was typed into the prerendered form; the app's own form takes it over when it replaces it. */
export function readEarlyForm(): EarlyForm | undefined {
  const form = earlyElement()?.querySelector("form");
  if (!form) return undefined;
  return {
    values: Object.fromEntries([...form.querySelectorAll("input")].map(({ name, value }) => [name, value])),
    isSubmitted: form.dataset["submitted"] !== undefined,
  };
}

/** Resolves when no pointer is down: a click needs its element from press to release. `boot.js` watches the pointer. */
export async function waitForRelease(): Promise<void> {
  if (document.documentElement.dataset["pressed"] === undefined) return;
  await new Promise((resolve) => {
    window.addEventListener("lamplight-released", resolve, { once: true });
  });
}

const focusableIn = (element: ParentNode) => [
  ...element.querySelectorAll<HTMLElement>("a[href], button, input, [tabindex='0']"),
];

/** Moves the focus to the same control of the app's screen, which has the same ones in the same order. */
export function removeEarlyForm(app: ParentNode): void {
  const early = earlyElement();
  if (early === null) return;
  const index = focusableIn(early).findIndex((element) => element === document.activeElement);
  if (index !== -1) focusableIn(app)[index]?.focus();
  early.remove();
}
