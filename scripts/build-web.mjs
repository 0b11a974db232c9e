// Builds the web app into dist/web.
import { build } from "vite";

await build({ configFile: "webapp/vite.config.ts" });
