import { useState } from "react";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { useCallSignal } from "#webapp/app/hooks/use-call-signal.ts";
import { usePagePort } from "#webapp/pages/page-port.tsx";
import { makeCards, type CardRequest } from "../../generation-runs.ts";

/** Adds a deck to the page, calls `onAdded` and makes the deck's cards. */
export function useNewDeck(onAdded: () => void) {
  const pagePort = usePagePort();
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);
  const { begin, stop } = useCallSignal();
  const addDeck = async (title: string, request: CardRequest) => {
    setPending(true);
    setFailure(undefined);
    try {
      const componentId = await pagePort.addDeck(title, begin());
      onAdded();
      void makeCards(pagePort, componentId, request);
    } catch (error) {
      setFailure(toFailureMessage(error, "flashcards")?.message);
      setPending(false);
    }
  };
  return { failure, pending, addDeck, stop };
}
