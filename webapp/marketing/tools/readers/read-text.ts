import { ToolError, type Source } from "../use-cards.ts";
import { word } from "../words.ts";

/** A text with fewer words has no fact for a card. */
const MIN_WORDS = 8;

/**
 * Splits text into passages. The module for this is loaded with the first text, because the page does not need it
 * before.
 */
export async function readText(text: string): Promise<Source> {
  if (text.trim().split(/\s+/).length < MIN_WORDS) throw new ToolError(word("error_short"));
  const { passagesFromText } = await import("#shared/text/plain-text.ts");
  return { passages: passagesFromText(text) };
}
