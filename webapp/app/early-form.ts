/** The form that the document had before the app; undefined where the app's own document was opened. */
const earlyElement = () => document.getElementById("early");

export interface EarlyForm {
  values: Record<string, string>;
  /** The field that has the focus. */
  focused: string | undefined;
  isSubmitted: boolean;
}

/** What was typed into the prerendered form; the app's own form takes it over when it replaces it. */
export function readEarlyForm(): EarlyForm | undefined {
  const form = earlyElement()?.querySelector("form");
  if (!form) return undefined;
  const fields = [...form.querySelectorAll("input")];
  return {
    values: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    focused: fields.find((field) => field === document.activeElement)?.name,
    isSubmitted: form.dataset["submitted"] !== undefined,
  };
}

export function removeEarlyForm(): void {
  earlyElement()?.remove();
}
