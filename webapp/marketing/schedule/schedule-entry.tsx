import { hydrateRoot } from "react-dom/client";
import { readToolWords } from "../tools/words.ts";
import { ScheduleTool } from "./schedule-tool.tsx";
import "../tools/tool.css";
import "./schedule-tool.css";

const root = document.getElementById("tool");
if (root) {
  readToolWords();
  hydrateRoot(root, <ScheduleTool />);
}
