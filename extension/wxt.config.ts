import { join } from "node:path";
import { defineConfig } from "wxt";

/** What each permission is for stands in store/permissions.md; nothing here reaches a page before the student asks. */
const PERMISSIONS = ["activeTab", "scripting", "contextMenus", "storage", "unlimitedStorage", "alarms"];

export default defineConfig({
  root: "extension",
  entrypointsDir: "entrypoints",
  publicDir: "public",
  outDir: "../dist/extension",
  outDirTemplate: "{{browser}}",
  modules: ["@wxt-dev/module-react"],
  imports: false,
  // One source for both: the newer manifest everywhere.
  manifestVersion: 3,
  vite: () => ({
    build: { assetsInlineLimit: 0 },
    // What the web app fetches when a text holds such letters would all lie in the package here.
    resolve: { alias: [{ find: "./fonts.css", replacement: join(import.meta.dirname, "ui/fonts.css") }] },
  }),
  zip: {
    artifactTemplate: "lamplight-{{version}}-{{browser}}.zip",
    sourcesTemplate: "lamplight-{{version}}-sources.zip",
  },
  manifest: ({ browser }) => ({
    name: "Lamplight: cards and a tutor beside any page",
    short_name: "Lamplight",
    description:
      "Keep what you read as cards and notes in one gesture, and ask a tutor that shows you where it stands.",
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
    action: { default_title: "Open Lamplight beside this page" },
    icons: { 16: "icon/16.png", 32: "icon/32.png", 48: "icon/48.png", 128: "icon/128.png" },
    // A browser takes four at most, and gives none that is its own: Chromium has Alt+Shift+A, B, I, N, P, T, W, X and Z.
    commands: {
      "capture-card": { suggested_key: { default: "Alt+Shift+K" }, description: "Make a card of what is selected" },
      "capture-page": {
        suggested_key: { default: "Alt+Shift+S" },
        description: "Keep this page, PDF or video",
      },
      "capture-clip": {
        suggested_key: { default: "Alt+Shift+V" },
        description: "Make a card of the last 30 seconds of a video",
      },
      "open-panel": { suggested_key: { default: "Alt+Shift+L" }, description: "Open Lamplight beside this page" },
    },
  }),
});
