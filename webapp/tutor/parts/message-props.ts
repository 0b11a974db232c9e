import type { Message } from "#shared/tutor/schema.ts";

export interface MessageProps {
  message: Message;
  all: readonly Message[];
  stage: "reading" | "writing" | "cut" | null;
  isBusy: boolean;
  onShow: (message: Message) => void;
  onEdit: (message: Message, text: string) => void;
  onRetry: (message: Message) => void;
  onQuiz: (message: Message) => void;
  /** Asks a question again with all material as its sources. */
  onAskEverything: (question: Message) => void;
}
