import type { ResearchSession } from "#shared/research/schema.ts";
import { client } from "#webapp/app/client.ts";
import { countSavedTexts } from "./unsaved-texts.ts";

/** Reads a session, and again if notes or a version of a section were saved meanwhile. */
export async function readSession(id: string): Promise<ResearchSession> {
  for (;;) {
    const saved = countSavedTexts();
    const { conversation } = await client.research.getConversation({ id });
    if (saved === countSavedTexts()) return conversation;
  }
}
