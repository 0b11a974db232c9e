import type { HtmlTagDescriptor, Plugin } from "vite";

/** Preloads the fonts of the first screen with the page, instead of after the style sheet. */
export function preloadFonts(names: readonly string[]): Plugin {
  return {
    name: "font-preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith(".woff2") && names.some((name) => file.includes(`/${name}-`)))
          .map((file): HtmlTagDescriptor => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `/${file}` },
            injectTo: "head",
          })),
    },
  };
}
