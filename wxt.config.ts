import { join } from "node:path";
import { defineConfig } from "wxt";
import { leanTagger, writeDeflated } from "#webapp/build/lean-tagger.ts";
import { zodWithoutEval } from "#webapp/build/zod-without-eval.ts";

/** extension/store/permissions.md explains each permission; none gives access to a page before the student asks. */
const PERMISSIONS = ["activeTab", "scripting", "contextMenus", "unlimitedStorage", "alarms"];

/** Replaces a file of the web app by one of ours. */
const replaceFile = (find: string, path: string) => ({
  find,
  replacement: join(import.meta.dirname, "extension", path),
});

export default defineConfig({
  root: "extension",
  entrypointsDir: "entrypoints",
  publicDir: "public",
  outDir: "../dist/extension",
  outDirTemplate: "{{browser}}",
  modules: ["@wxt-dev/module-react", "@wxt-dev/webextension-polyfill"],
  imports: false,
  // Manifest V3 in both browsers.
  manifestVersion: 3,
  vite: () => ({
    plugins: [leanTagger(writeDeflated), zodWithoutEval()],
    build: { assetsInlineLimit: 0 },
    // The web app loads fonts and languages on demand; here they would all be in the package.
    resolve: {
      alias: [
        replaceFile("#extension/fonts.css", "ui/fonts.css"),
        replaceFile("#extension/english.ts", "words/shared-words.ts"),
      ],
    },
  }),
  zip: {
    artifactTemplate: "lamplight-{{version}}-{{browser}}.zip",
    sourcesTemplate: "lamplight-{{version}}-sources.zip",
  },
  manifest: ({ browser }) => ({
    // Translated in `public/_locales`.
    default_locale: "en",
    name: "__MSG_name__",
    short_name: "Lamplight",
    description: "__MSG_description__",
    version: "0.1.0",
    permissions: browser === "firefox" ? PERMISSIONS : [...PERMISSIONS, "sidePanel", "offscreen"],
    optional_permissions: ["tabs"],
    optional_host_permissions: ["https://*/*", "http://*/*"],
    ...(browser === "firefox" ? {} : { minimum_chrome_version: "116" }),
    ...(browser === "firefox"
      ? {
          browser_specific_settings: {
            gecko: {
              id: "lamplight@lamplight.study",
              strict_min_version: "142.0",
              data_collection_permissions: { required: ["websiteContent", "websiteActivity", "authenticationInfo"] },
            },
          },
        }
      : {}),
    ...(browser === "firefox" ? {} : { message_serialization: "structured_clone" }),
    action: { default_title: "__MSG_open__" },
    icons: { 16: "icon/16.png", 32: "icon/32.png", 48: "icon/48.png", 128: "icon/128.png" },
    // Browsers allow four at most and reject their own: Chromium uses Alt+Shift+A, B, I, N, P, T, W, X and Z.
    commands: {
      "capture-card": { suggested_key: { default: "Alt+Shift+K" }, description: "__MSG_card__" },
      "capture-page": {
        suggested_key: { default: "Alt+Shift+S" },
        description: "__MSG_page__",
      },
      "capture-clip": {
        suggested_key: { default: "Alt+Shift+V" },
        description: "__MSG_clip__",
      },
      "open-panel": { suggested_key: { default: "Alt+Shift+L" }, description: "__MSG_open__" },
    },
  }),
});
