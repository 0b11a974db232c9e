import { createFileAnswer } from "#api/http/file-answer.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { Handlers } from "#api/http/handler.ts";
import { readTicket, signTicket } from "#api/http/file-tickets.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { video } from "#shared/video/contract.ts";
import { requireVideo } from "./transcripts.ts";

/** Longer than most lectures; a player whose URL has expired requests a new one. */
const TICKET_MS = 4 * 3_600_000;
/** A file never changes under its id. */
const CACHE_CONTROL = "private, max-age=14400, immutable";

const streamNotFound = () => new Failure("not_found", "no_file_or_expired");

/** Streams uploaded videos through a signed URL, because players send no token. */
export const streamHandlers: Pick<Handlers<typeof video>, "signStream" | "getStream"> = {
  async signStream({ caller, own, store, clock }, { id }) {
    const component = await requireVideo(own, id);
    const file = await findFile(own, component.content.file.id);
    if (!file) throw streamNotFound();
    const expiresAt = clock.now() + TICKET_MS;
    const { sessionId } = caller;
    const ticket = await signTicket(store, { ownerId: own.ownerId, fileId: file._id, sessionId, expiresAt });
    return { url: `/v1/video/stream/${ticket}`, type: file.mime, sizeBytes: file.sizeBytes, expiresAt };
  },

  async getStream({ store, blobs, clock }, { ticket }) {
    const ticketData = await readTicket(store, ticket, clock.now());
    const file = ticketData && (await findFile(ownedBy(store, ticketData.ownerId), ticketData.fileId));
    if (!file) throw streamNotFound();
    return { ...createFileAnswer(blobs, file), cacheControl: CACHE_CONTROL };
  },
};
