import { Readable } from "node:stream";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import type { ReasonKey } from "#shared/messages/reasons.ts";
import type { AnkiImportEvent, AnkiImportReport, interchange } from "#shared/flashcards/interchange-contract.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import type { Review } from "#shared/study/schema.ts";
import { saveFile } from "#api/blobs/file-records.ts";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import type { AnkiCard, AnkiFault, AnkiLoss, AnkiMedia } from "#api/documents/anki/anki-messages.ts";
import { AnkiProcessError, readAnki } from "#api/documents/anki/anki-reader.ts";
import { appendCards } from "#api/pages/create/append-cards.ts";
import { findPageTitle, createOrRestoreDeck, createOrRestorePage } from "#api/pages/create/create-deck.ts";
import { importReviews } from "#api/study/service.ts";
import { digest, toReviews } from "./anki-reviews.ts";
import { ExportedCards, idBeforeExport, newAnswers, type ReturningDeck } from "./exported-cards.ts";
import type { z } from "zod";

type ImportStreamEvent = z.infer<typeof AnkiImportEvent>;

/** Limits of one deck; larger Anki decks are split. */
const MAX_DECK_CARDS = 10_000;
const MAX_DECK_CHARS = 3_000_000;
const MAX_MEDIA_BYTES = 50 * 1024 * 1024;
const REVIEW_BATCH_SIZE = 2000;

const ANKI_FAILURES = {
  not_a_package: { code: "invalid_file", reason: "anki_not_a_package" },
  too_large: { code: "too_large", reason: "anki_too_large" },
  broken: { code: "invalid_file", reason: "anki_damaged" },
  too_new: { code: "invalid_file", reason: "anki_too_new" },
  timeout: { code: "timed_out", reason: "anki_took_too_long" },
  crashed: { code: "invalid_file", reason: "anki_unreadable" },
} as const satisfies Record<AnkiFault, { code: FailureCode; reason: ReasonKey }>;

/** Media types that browsers show without running code. */
const MEDIA = /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif)|audio\/|video\/(?:mp4|webm|ogg))/;

type ImportHandlers = Pick<Handlers<typeof interchange>, "importDecks">;

export const importHandlers: ImportHandlers = {
  async *importDecks(ctx, { pageId }, files) {
    const file = files[0];
    if (!file) throw new Failure("bad_input", "choose_package");
    if (pageId !== undefined && (await findPageTitle(ctx.own, pageId)) === undefined)
      throw new Failure("not_found", "no_page");
    try {
      yield* new DeckImport(ctx, file, pageId).run();
    } catch (error) {
      if (!(error instanceof AnkiProcessError)) throw error;
      const { code, reason } = ANKI_FAILURES[error.fault];
      throw new Failure(code, reason);
    }
  },
};

type ImportedDeck = AnkiImportReport["decks"][number];

interface ImportedDecks {
  decks: ImportedDeck[];
  reviews: Review[];
}

interface PackageDeck {
  title: string;
  cards: readonly AnkiCard[];
  /** Creates a page when the user chose none. */
  createPage: () => Promise<string>;
}

class DeckImport {
  readonly #ctx: UserCtx;
  readonly #file: ReceivedFile;
  readonly #pageId: string | undefined;
  /** URL of each stored media file; null if it was refused. */
  readonly #media = new Map<string, string | null>();
  readonly #decks = new Map<string, AnkiCard[]>();
  readonly #losses: AnkiLoss[] = [];
  #collectionFingerprint = "";

  constructor(ctx: UserCtx, file: ReceivedFile, pageId: string | undefined) {
    this.#ctx = ctx;
    this.#file = file;
    this.#pageId = pageId;
  }

  async *run(): AsyncGenerator<ImportStreamEvent> {
    for await (const message of readAnki(await this.#file.path(), this.#ctx.signal)) {
      if (message.type === "media") await this.#storeMedia(message.media);
      if (message.type === "done") {
        this.#losses.push(...message.losses);
        this.#collectionFingerprint = message.collectionFingerprint;
      }
      if (message.type !== "cards") continue;
      for (const card of message.cards) this.#addToDeck(card);
      yield { type: "progress", stage: "reading", done: message.done, total: message.total };
    }
    if (this.#decks.size === 0) throw new AnkiProcessError("not_a_package");
    yield* this.#writeDecks();
  }

  #addToDeck(card: AnkiCard): void {
    const existing = this.#decks.get(card.deck);
    if (existing) existing.push(card);
    else this.#decks.set(card.deck, [card]);
  }

  async #storeMedia({ name, bytes }: AnkiMedia): Promise<void> {
    const { own, blobs, clock } = this.#ctx;
    const { fileTypeFromBuffer } = await import("file-type");
    const found = await fileTypeFromBuffer(bytes);
    // The content decides the type, not the file name.
    if (!found || !MEDIA.test(found.mime)) {
      this.#media.set(name, null);
      const existing = this.#losses.find(({ what }) => what === "refused_media");
      if (existing) existing.count += 1;
      else this.#losses.push({ what: "refused_media", count: 1, examples: [name.slice(0, 80)] });
      return;
    }
    const received = await blobs.receive(Readable.from([bytes]), MAX_MEDIA_BYTES);
    try {
      await received.commit();
      const _id = `${digest(own.ownerId, received.key)}.${found.ext}`;
      const { key: blobKey, sizeBytes } = received;
      await saveFile(this.#ctx, {
        _id,
        blobKey,
        name: name.slice(0, 300),
        mime: found.mime,
        sizeBytes,
        createdAt: clock.now(),
      });
      this.#media.set(name, `/v1/files/${_id}`);
    } finally {
      await received.discard();
    }
  }

  async *#writeDecks(): AsyncGenerator<ImportStreamEvent> {
    const { own } = this.#ctx;
    const name = this.#file.name.replace(/\.(?:apkg|colpkg|anki2)$/i, "").slice(0, 300);
    const createPage = () =>
      createOrRestorePage(
        own,
        digest(own.ownerId, "page", this.#collectionFingerprint, name),
        name,
        this.#ctx.clock.now(),
      );
    const report: AnkiImportReport = {
      pageId: this.#pageId ?? "",
      decks: [],
      cards: 0,
      media: 0,
      reviews: 0,
      losses: [],
    };
    const reviews: Review[] = [];
    const exported = await ExportedCards.read(own);
    for (const [title, cards] of this.#decks) {
      const returning = exported.match(cards);
      const imported =
        returning && hasRoom(returning)
          ? await this.#updateDeck(returning, exported)
          : await this.#createDecks({ title, cards, createPage });
      report.decks.push(...imported.decks);
      reviews.push(...imported.reviews);
    }
    report.cards = report.decks.reduce((sum, { added }) => sum + added, 0);
    for (let offset = 0; offset < reviews.length; offset += REVIEW_BATCH_SIZE) {
      if (this.#ctx.signal.aborted) return;
      await importReviews(this.#ctx, reviews.slice(offset, offset + REVIEW_BATCH_SIZE));
      const done = Math.min(reviews.length, offset + REVIEW_BATCH_SIZE);
      yield { type: "progress", stage: "reviews", done, total: reviews.length };
    }
    const media = [...this.#media.values()].filter((url) => url !== null).length;
    const answers = reviews.filter((review) => !review.seed).length;
    const pageId = report.pageId || (report.decks[0]?.pageId ?? "");
    yield { type: "result", result: { ...report, pageId, media, reviews: answers, losses: this.#losses } };
  }

  #deckId(title: string, part: number): string {
    return digest(this.#ctx.own.ownerId, "deck", this.#collectionFingerprint, title, String(part));
  }

  /**
   * Creates the decks of this package, or finds those that were imported before, and adds their new cards. Splits large
   * decks.
   */
  async #createDecks({ title, cards, createPage }: PackageDeck): Promise<ImportedDecks> {
    const { own, clock } = this.#ctx;
    const imported: ImportedDecks = { decks: [], reviews: [] };
    for (const [part, partCards] of splitDeck(cards).entries()) {
      const displayTitle = title.replaceAll("::", " / ") + (part === 0 ? "" : ` (${part + 1})`);
      const componentId = this.#deckId(title, part);
      const deckTarget = { componentId, pageId: this.#pageId, createPage, title: displayTitle.slice(0, 500) };
      const { pageId, cardCount } = await createOrRestoreDeck(own, deckTarget, clock.now());
      const added = await this.#append({ componentId, cardCount }, partCards);
      imported.decks.push({ componentId, pageId, title: displayTitle, ...added });
      imported.reviews.push(...partCards.flatMap((card) => toReviews(card, componentId)));
    }
    return imported;
  }

  /**
   * Updates a deck that was exported from here: adds the cards that are new in Anki. Cards that were deleted here stay
   * deleted.
   */
  async #updateDeck({ deck, known, added }: ReturningDeck, exported: ExportedCards): Promise<ImportedDecks> {
    const { componentId, pageId, title } = deck;
    const counts = await this.#append(deck, added);
    const reviews = added.flatMap((card) => toReviews(card, componentId));
    for (const { card, local } of known)
      reviews.push(...newAnswers(toReviews(card, componentId), await exported.reviewsOf(local), local));
    const total = { added: counts.added, known: counts.known + known.length };
    return { decks: [{ componentId, pageId, title, ...total }], reviews };
  }

  async #append(
    { componentId, cardCount: before }: { componentId: string; cardCount: number },
    cards: readonly AnkiCard[],
  ) {
    const readyCards = cards.flatMap((card) => this.#toFlashcard(card) ?? []);
    if (readyCards.length === 0) return { added: 0, known: 0 };
    const { cardCount } = await appendCards(this.#ctx.own, componentId, readyCards, {
      generationId: `import-${digest(...readyCards.map((card) => card.id))}`,
      now: this.#ctx.clock.now(),
      earlierId: idBeforeExport,
    });
    return { added: cardCount - before, known: readyCards.length - (cardCount - before) };
  }

  #withMedia(text: string): string {
    return text.replaceAll(/!\[([^\]]*)\]\(anki:([^)\s]+)\)/g, (_, alt: string, encoded: string) => {
      const name = decodeURIComponent(encoded);
      const url = this.#media.get(name);
      return url ? `![${alt}](${url})` : `[${name}]`;
    });
  }

  #toFlashcard(card: AnkiCard): Flashcard | undefined {
    const { cloze, occlusion, tags, isSuspended } = card;
    const image = occlusion && this.#media.get(occlusion.image);
    const parsed = Flashcard.safeParse({
      id: card.key.slice(0, 64),
      question: this.#withMedia(card.question).slice(0, 20_000),
      answer: this.#withMedia(card.answer).slice(0, 20_000),
      questionImage: image ?? null,
      citation: null,
      ...(cloze ? { kind: "cloze", cloze: { ...cloze, text: this.#withMedia(cloze.text).slice(0, 20_000) } } : {}),
      ...(occlusion && image
        ? { kind: "occlusion", groupId: groupIdOf(card.key), occlusion: toOcclusionFields(occlusion) }
        : {}),
      ...(tags.length > 0 ? { tags } : {}),
      ...(isSuspended ? { isSuspended } : {}),
    });
    return parsed.data;
  }
}

/** Whether the deck has room for the cards that were added to it in Anki. */
const hasRoom = ({ deck, added }: ReturningDeck) =>
  deck.cardCount + added.length <= MAX_DECK_CARDS && splitDeck(added).length === 1;

/** Cards of one note form a group. */
const groupIdOf = (key: string) => key.replace(/^anki:\d+:/, "anki:").slice(0, 64);

const toOcclusionFields = ({ regions, regionId, hidesAll }: NonNullable<AnkiCard["occlusion"]>) => ({
  regions,
  regionId,
  ...(hidesAll ? { hidesAll } : {}),
});

/** Splits a deck into parts that fit one component; the same cards always split at the same points. */
function splitDeck(cards: readonly AnkiCard[]): AnkiCard[][] {
  const parts: AnkiCard[][] = [[]];
  let chars = 0;
  for (const card of cards) {
    const size = JSON.stringify([card.question, card.answer, card.cloze, card.occlusion]).length + 200;
    const last = parts.at(-1);
    if (last && last.length > 0 && (last.length >= MAX_DECK_CARDS || chars + size > MAX_DECK_CHARS)) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)?.push(card);
    chars += size;
  }
  return parts;
}
