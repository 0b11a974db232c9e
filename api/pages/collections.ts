import type { CollectionSpec, OwnedDoc } from "#api/kit/store/port.ts";
import type { Component, Page } from "#shared/pages/schema.ts";

export type PageDoc = Page & OwnedDoc;
export type ComponentDoc = Component & OwnedDoc;

export const pageCollection: CollectionSpec<PageDoc> = {
  name: "pages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "lastUpdated"] }],
};

export const componentCollection: CollectionSpec<ComponentDoc> = {
  name: "components",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "pageId"] }],
};
