import type { Failure } from "#shared/contract/failure.ts";
import type { FileProcessed } from "#shared/flashcards/schema.ts";
import type { Reason } from "#shared/messages/reasons.ts";
import { englishOf } from "#shared/messages/translate.ts";

/** Why a source gave nothing, as English text and as reasons that screens translate. */
export const errorOf = (reasons: readonly Reason[]): Pick<FileProcessed, "error" | "reasons"> =>
  reasons.length === 0
    ? { error: null }
    : {
        error: reasons.map(englishOf).join(" "),
        reasons: reasons.map(({ reason, params }) => ({ reason, ...(params ? { params } : {}) })),
      };

/** Converts a failure to the reason why a source gave nothing. */
export const reasonOf = ({ reason = "something_wrong", params }: Failure) => ({ reason, params }) as Reason;
