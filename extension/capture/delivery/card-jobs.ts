import type { Input } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { flashcards } from "#shared/flashcards/contract.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { addCards, type Delivery, ensureSent } from "./library-delivery.ts";
import { type Capture, changeCapture } from "../store.ts";

type Sources = Pick<Input<(typeof flashcards)["generateCards"]>, "pdfComponents" | "videoComponents">;

const isTemporary = ({ status }: Failure) => status >= 500 || status === 429 || status === 401;

/**
 * Starts card generation on the server for a stored file, into the deck of its page. The capture's id is the job id, so
 * a repeat starts no second job. If the server refuses, the reason becomes the capture's notice.
 */
export async function requestCards(delivery: Delivery, capture: Capture, sources: Sources): Promise<void> {
  const { pageId, deckId } = delivery.ids;
  await addCards(delivery, [], capture.title);
  await ensureSent(delivery, [pageId, deckId]);
  const options = { target: { pageId, componentId: deckId }, jobId: capture.id };
  const notice = await startGeneration({ ...sources, options });
  await changeCapture(capture.id, { notice });
}

async function startGeneration(request: Input<(typeof flashcards)["generateCards"]>): Promise<string> {
  try {
    for await (const event of client.flashcards.generateCards.stream(request, []))
      return event.type === "error" ? event.message : words.cards_being_made;
    return words.cards_being_made;
  } catch (error) {
    if (error instanceof Failure && !isTemporary(error)) return error.message;
    throw error;
  }
}
