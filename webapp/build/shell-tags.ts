/** Tags in the document of the app, as the build writes them. */
export const MAIN = / *<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>\n/;
export const PRELOADED = / *<link rel="(?:module)?preload"[^>]*href="([^"]*)"[^>]*>\n/g;
export const STYLES = / *<link rel="stylesheet"[^>]*href="\/([^"]*)"[^>]*>\n/g;
export const BOOT = / *<script src="\/boot\.js"[^>]*><\/script>\n/;

/** Attributes that `boot.js` reads from its own tag. */
export const toDataAttributes = (bootData: Record<string, string>): string =>
  Object.entries(bootData)
    .map(([name, value]) => `data-${name}="${value}"`)
    .join(" ");
