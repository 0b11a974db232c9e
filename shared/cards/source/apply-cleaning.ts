/** One replacement in a sentence. They run in the order of the lists. */
export interface CleaningStep {
  /** What it removes or changes. */
  name: string;
  /** Omitted if it applies to every sentence. `raw` is the sentence before the first step. */
  appliesTo?: (original: string, isPrinted: boolean) => boolean;
  pattern: RegExp;
  replacement: string | ((found: string, at: number, text: string) => string);
  /** A text before and after this step alone. */
  example: readonly [string, string];
}

/** The text after one step. */
export const applyStep = (text: string, { pattern, replacement }: CleaningStep): string =>
  typeof replacement === "string" ? text.replace(pattern, replacement) : text.replace(pattern, replacement);

/** The text after all steps that apply to the sentence. */
export const applySteps = (
  text: string,
  steps: readonly CleaningStep[],
  { original, isPrinted }: { original: string; isPrinted: boolean },
): string => steps.filter(({ appliesTo }) => appliesTo?.(original, isPrinted) ?? true).reduce(applyStep, text);
