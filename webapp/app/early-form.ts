/** The prerendered form; null in a document without one. */
const earlyElement = () => document.getElementById("early");

export interface EarlyForm {
  values: Record<string, string>;
  isSubmitted: boolean;
}

/** The values typed into the prerendered form, with which the app's form starts when it replaces that form. */
export function readEarlyForm(): EarlyForm | undefined {
  const form = earlyElement()?.querySelector("form");
  if (!form) return undefined;
  return {
    values: Object.fromEntries([...form.querySelectorAll("input")].map(({ name, value }) => [name, value])),
    isSubmitted: form.dataset["submitted"] !== undefined,
  };
}

/**
 * Resolves when no pointer is pressed, because a click is lost if its element is replaced before the release. `boot.js`
 * watches the pointer.
 */
export async function waitForRelease(): Promise<void> {
  if (document.documentElement.dataset["pressed"] === undefined) return;
  await new Promise((resolve) => {
    window.addEventListener("lamplight-released", resolve, { once: true });
  });
}

const focusableIn = (element: ParentNode) => [
  ...element.querySelectorAll<HTMLElement>("a[href], button, input, [tabindex='0']"),
];

/**
 * Removes the prerendered form. The focus moves to the app's control at the same position, because both forms have the
 * same controls.
 */
export function removeEarlyForm(app: ParentNode): void {
  const early = earlyElement();
  if (early === null) return;
  const index = focusableIn(early).findIndex((element) => element === document.activeElement);
  if (index !== -1) focusableIn(app)[index]?.focus();
  early.remove();
}
