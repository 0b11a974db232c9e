import { hydrateRoot } from "react-dom/client";
import { CardsTool, type CardsSource } from "./cards-tool.tsx";
import { readToolWords } from "./words.ts";
import "./tool.css";
import "./cards-tool.css";

const root = document.getElementById("tool");
if (root) {
  readToolWords();
  hydrateRoot(root, <CardsTool source={(root.dataset["source"] ?? "text") as CardsSource} />);
}
