import { hydrateRoot } from "react-dom/client";
import { readToolWords } from "../tools/words.ts";
import { CitationTool } from "./citation-tool.tsx";
import "../tools/tool.css";
import "./citation-tool.css";

const root = document.getElementById("tool");
if (root) {
  readToolWords();
  hydrateRoot(root, <CitationTool />);
}
