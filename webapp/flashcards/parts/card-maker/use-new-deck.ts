import { useRef, useState } from "react";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { usePagePort } from "#webapp/pages/page-port.tsx";
import { makeCards, type CardRequest } from "../../generation-runs.ts";

/** Adds a deck to the page, calls `onAdded` and makes the deck's cards. */
export function useNewDeck(onAdded: () => void) {
  const pagePort = usePagePort();
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);
  const controllerRef = useRef<AbortController>(undefined);
  const abort = () => controllerRef.current?.abort();
  const addDeck = async (title: string, request: CardRequest) => {
    setPending(true);
    setFailure(undefined);
    const controller = new AbortController();
    controllerRef.current = controller;
    try {
      const componentId = await pagePort.addDeck(title, controller.signal);
      onAdded();
      void makeCards(pagePort, componentId, request);
    } catch (error) {
      setFailure(toFailureMessage(error, "flashcards")?.message);
      setPending(false);
    }
  };
  return { failure, pending, addDeck, abort };
}
