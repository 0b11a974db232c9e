/**
 * Whether this browser's student reads German first; the words of the manifest (`_locales`) go by the browser's
 * own language, which is the same unless somebody set them apart.
 * In a page too this is the browser's own word: a page cannot reach the navigator of our world.
 */
export const isGerman = /^de\b/i.test(navigator.language);

/** The tag of the language in which the extension speaks. */
export const languageSpoken = isGerman ? "de" : "en";
