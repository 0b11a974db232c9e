import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";
import { FolderColor, FolderItem } from "#shared/library/schema.ts";
import { Component } from "#shared/pages/schema.ts";
import { Review } from "#shared/study/schema.ts";

const Id = z.string().min(1).max(64);
const UploadedFile = z.object({
  name: z.string().max(500),
  type: z.string().max(120),
  size: z.int().min(0),
  base64: z.string(),
});

const ComponentCreate = z.object({
  component: Component,
  parentId: Id,
  parentType: z.enum(["page", "component"]).default("page"),
  /** Position among the page's components; omitted means at the end. */
  index: z.int().min(0).optional(),
});

/** Fills in the fields of a new component that can be derived from the request, so that a client may omit them. */
function completeComponent(data: z.input<typeof ComponentCreate>): unknown {
  // This runs before the schema has validated the data.
  const sent: unknown = data;
  if (typeof sent !== "object" || sent === null || !("component" in sent)) return sent;
  const { component, parentId } = data;
  if (typeof component !== "object" || component === null) return sent;
  const derived = { pageId: parentId, modifiedAt: component.createdAt, createdBy: "", version: 1 };
  return { ...data, component: { ...derived, ...component } };
}

/** The data of each request type; `resourceId` of the request names the page, component or folder. */
export const syncData = {
  page_create: z.object({
    title: z.string().max(500).default(""),
    emoji: z.string().max(32).nullable().default(null),
    parent: Id.nullable().default(null),
    order: z.number().default(0),
    isFlashcardPage: z.boolean().default(false),
    createdAt: z.number(),
  }),
  page_delete: z.object({}),
  page_component_sort: z.object({ componentIds: z.array(Id).max(20_000) }),
  page_update: z.object({
    title: z.string().max(500).optional(),
    emoji: z.string().max(32).nullable().optional(),
    archived: z.boolean().optional(),
    order: z.number().optional(),
    lastOpened: z.number().optional(),
  }),
  component_create: z.preprocess(completeComponent, ComponentCreate),
  component_delete: z.object({ pageId: Id.optional() }),
  component_content_update: z.object({ newContent: z.record(z.string(), z.unknown()) }),
  /** Changes the status of cards (suspended, buried, shown again) without sending the deck. */
  card_standing: z.object({
    cards: z
      .array(
        z.object({
          cardId: Id,
          isSuspended: z.boolean().optional(),
          buriedUntil: z
            .number()
            .min(0)
            .max(Date.UTC(2100, 0, 1))
            .nullable()
            .optional(),
        }),
      )
      .min(1)
      .max(2000),
  }),
  /**
   * Moves the reviews, schedules and favourites of cards that were moved to another deck. The decks are sent
   * separately.
   */
  card_move: z.object({ cardIds: z.array(Id).min(1).max(20_000), toComponentId: Id }),
  /** Without `fromPageId` the component is moved from the page that it is on. */
  component_move: z.object({ fromPageId: Id.optional(), toPageId: Id, index: z.int().min(0).optional() }),
  component_image_upload: z.object({ pageId: Id, file: UploadedFile }),
  component_video_upload: z.object({ pageId: Id, file: UploadedFile }),
  folder_create: z.object({
    title: z.string().max(300).default(""),
    color: FolderColor.default("BLUE"),
    createdAt: z.number(),
  }),
  folder_update: z.object({
    title: z.string().max(300).optional(),
    color: FolderColor.optional(),
    /** Order and additions; a missing item is not removed. */
    items: z.array(FolderItem).max(20_000).optional(),
    removedItemIds: z.array(Id).max(20_000).optional(),
    is_expanded: z.boolean().optional(),
    is_archived: z.boolean().optional(),
    archived_at: z.number().nullable().optional(),
  }),
  folder_delete: z.object({}),
  review_add: Review,
  review_undo: z.object({ reviewId: z.string().min(10).max(64) }),
  annotation_put: z.object({ annotation: z.record(z.string(), z.unknown()) }),
  annotation_delete: z.object({}),
} as const;

export type SyncType = keyof typeof syncData;

const envelope = {
  id: z.string().min(10).max(64),
  clientId: z.string().min(1).max(64),
  seq: z.int().min(0),
  resourceId: Id,
  baseVersion: z.int().min(0).optional(),
  createdAt: z.number(),
};

const request = <T extends SyncType>(type: T) => z.object({ ...envelope, type: z.literal(type), data: syncData[type] });

/** Requests whose data may be omitted, because the specification defines no data or it follows from the request. */
const WITHOUT_DATA: ReadonlySet<unknown> = new Set<SyncType>([
  "page_create",
  "page_delete",
  "component_delete",
  "folder_create",
  "folder_delete",
  "annotation_delete",
]);
const CREATED_WITH_REQUEST: ReadonlySet<unknown> = new Set<SyncType>(["page_create", "folder_create"]);

/** Fills in the data that a request may omit; fields that were sent stay unchanged. */
function completeRequest(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || !("type" in sent)) return sent;
  const { type, createdAt, data }: { type: unknown; createdAt?: unknown; data?: unknown } = sent;
  const completeData = data === undefined && WITHOUT_DATA.has(type) ? {} : data;
  if (!CREATED_WITH_REQUEST.has(type) || typeof completeData !== "object" || completeData === null)
    return { ...sent, data: completeData };
  return { ...sent, data: { createdAt, ...completeData } };
}

const AnySyncRequest = z.discriminatedUnion("type", [
  request("page_create"),
  request("page_delete"),
  request("page_component_sort"),
  request("page_update"),
  request("component_create"),
  request("component_delete"),
  request("component_content_update"),
  request("card_standing"),
  request("card_move"),
  request("component_move"),
  request("component_image_upload"),
  request("component_video_upload"),
  request("folder_create"),
  request("folder_update"),
  request("folder_delete"),
  request("review_add"),
  request("review_undo"),
  request("annotation_put"),
  request("annotation_delete"),
]);

/** A change as a client sends it. */
export const SyncRequest = z.preprocess(completeRequest, AnySyncRequest);
export type SyncRequest = z.infer<typeof SyncRequest>;
export type SyncRequestOf<T extends SyncType> = Extract<SyncRequest, { type: T }>;

export const SyncAnswer = z.object({
  success: z.array(z.string()),
  num_failed: z.int(),
  failed: z.array(
    z.object({ id: z.string(), code: z.string(), message: z.string(), ...reasonFields, retriable: z.boolean() }),
  ),
  parcels: z.array(
    z.object({ requestId: z.string(), componentId: z.string(), location: z.string(), content: z.unknown() }),
  ),
  /** The component's version after a request; `conflict` if another text was moved to the history. */
  versions: z.array(
    z.object({
      requestId: z.string(),
      componentId: z.string(),
      version: z.int(),
      conflict: z.boolean(),
      /** The component's content if it differs from what was sent, e.g. after a merge of decks. */
      content: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
export type SyncAnswer = z.infer<typeof SyncAnswer>;

export const PageDigest = z.object({ pageId: z.string(), componentCount: z.int(), hash: z.string() });
export type PageDigest = z.infer<typeof PageDigest>;

/** A change in the account: what to reload, never the content itself. */
export const Change = z.object({
  kind: z.enum(["content", "page", "folders", "favorites", "study", "podcasts", "research", "account", "everything"]),
  /** Pages and components that the change affects. */
  ids: z.array(z.string()),
  /** The request that caused the change, so that the client that sent it can ignore the change. */
  requestId: z.string().optional(),
  /** Another text was replaced and is in the component's history. */
  conflict: z.literal(true).optional(),
  /** Only the student's own texts of a research session changed, which no list shows. */
  isTextOnly: z.literal(true).optional(),
});
export type Change = z.infer<typeof Change>;

export const ChangeEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("changes"), seq: z.int(), changes: z.array(Change) }),
  /** A heartbeat: nothing has changed, but the stream is alive. */
  z.object({ type: z.literal("beat"), seq: z.int() }),
]);
export type ChangeEvent = z.infer<typeof ChangeEvent>;
