import type { tutor } from "#shared/tutor/contract.ts";
import type { Handlers } from "#api/kit/handler.ts";

export const handlers: Handlers<typeof tutor> = {
  listModels: ({ models }) => models.list(),
};
