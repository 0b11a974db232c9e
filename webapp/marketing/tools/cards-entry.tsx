import { CardsTool } from "./cards-tool.tsx";
import { hydrateTool } from "./hydrate-tool.ts";
import type { CardsSource } from "./use-cards.ts";

hydrateTool((root) => <CardsTool source={(root.dataset["source"] ?? "text") as CardsSource} />);
