/**
 * Whether the interface is German. The manifest's strings (`_locales`) follow the browser's language, which is normally
 * the same. In injected scripts this value is trustworthy too, because pages cannot change the navigator of our world.
 */
export const isGerman = /^de\b/i.test(navigator.language);

/** Language tag of the interface. */
export const uiLanguage = isGerman ? "de" : "en";
