import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { checkBudget } from "#webapp/build/budget.ts";
import { compressFiles } from "#webapp/build/compress-files.ts";
import { loadEarly } from "#webapp/build/early-loading.ts";
import { prerenderForms } from "#webapp/build/prerendered-forms.ts";
import { preloadFonts } from "#webapp/build/font-preload.ts";
import { servePdfAssets } from "#webapp/build/pdf-assets.ts";
import { publicPages } from "#webapp/build/public-pages.ts";
import { bundleMessages } from "#webapp/build/bundle-messages.ts";
import { withoutJsonSchema } from "#webapp/build/without-json-schema.ts";
import { withoutSummaries } from "#webapp/build/without-summaries.ts";
import { zodWithoutEval } from "#webapp/build/zod-without-eval.ts";
import { buildServiceWorker } from "#webapp/build/service-worker-build.ts";

const API = process.env["API_ORIGIN"] ?? "http://127.0.0.1:3000";
const KILOBYTE = 1024;
const TOOL_BYTES = 100 * KILOBYTE;

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite",
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // The content security policy blocks data URLs, which also cannot be cached separately.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The token module has its own chunk, so that early code need not wait for the app.
      output: { codeSplitting: { groups: [{ name: "token", test: /webapp\/app\/session\/token\.ts$/ }] } },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": { target: API, ws: true }, "/health": API },
  },
  plugins: [
    bundleMessages({
      folder: join(import.meta.dirname, "../shared/messages/en"),
      atStart: ["common", "failures", "shell"],
    }),
    react(),
    withoutJsonSchema(),
    withoutSummaries(),
    zodWithoutEval(),
    servePdfAssets(),
    loadEarly({
      address: "/pdf/",
      source: "pdf/viewer/preloaded-document.ts",
      screen: "routes/pdf-route.tsx",
      worker: "pdf.worker",
      page: "routes/page-route.tsx",
    }),
    preloadFonts(["inter-latin-wght-normal", "source-serif-4-latin-wght-normal"]),
    checkBudget({
      "/home": { screens: ["study/home/home-screen", "ui/layouts/default-layout"], bytes: 250 * KILOBYTE },
    }),
    publicPages({
      css: "marketing/site/site.css",
      entries: {
        "help-search": "marketing/site/help-search.ts",
        "help-rating": "marketing/site/help-rating.ts",
        pricing: "marketing/pricing/pricing-entry.ts",
        "cards-tool": "marketing/tools/cards-entry.tsx",
        "schedule-tool": "marketing/schedule/schedule-entry.tsx",
        "citation-tool": "marketing/citations/citation-entry.tsx",
      },
      styles: {
        pricing: "marketing/pricing/pricing-entry.css",
        "cards-tool": "marketing/tools/cards-entry.css",
        "schedule-tool": "marketing/schedule/schedule-entry.css",
        "citation-tool": "marketing/citations/citation-entry.css",
      },
      fonts: ["inter-latin-wght-normal", "source-serif-4-latin-wght-normal"],
      budget: {
        "": 60 * KILOBYTE,
        "cards-tool": TOOL_BYTES,
        "schedule-tool": TOOL_BYTES,
        "citation-tool": TOOL_BYTES,
      },
    }),
    prerenderForms({
      renderer: "auth/prerender.tsx",
      screens: ["ui/layouts/centered-layout", "auth/login-screen", "auth/register-screen"],
    }),
    buildServiceWorker(),
    compressFiles(),
  ],
});
