import type { HtmlTagDescriptor, Plugin } from "vite";

/** The fonts of the first screen are asked for with the page, not only once the style sheet has been read. */
export function fontPreload(names: readonly string[]): Plugin {
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
