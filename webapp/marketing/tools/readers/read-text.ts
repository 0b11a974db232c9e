import { countWordsOfAnyScript } from "#shared/text/unspaced-words.ts";
import { ToolError, type Source } from "../use-cards.ts";
import { word } from "../words.ts";

/** A text with fewer words has no fact for a card. */
const MIN_WORDS = 8;

/**
 * Splits text into passages. The module for this is loaded with the first text, because the page does not need it
 * before. `tooShort` is the message for a text that is too short.
 */
export async function readText(
  text: string,
  tooShort: "error_short" | "error_no_text_image" = "error_short",
): Promise<Source> {
  if (countWordsOfAnyScript(text) < MIN_WORDS) throw new ToolError(word(tooShort));
  const { passagesFromText } = await import("#shared/text/plain-text.ts");
  return { passages: passagesFromText(text) };
}
