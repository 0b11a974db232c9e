import { z } from "zod";
import { Component } from "#shared/pages/schema.ts";
import { Licence, Topic } from "./schema.ts";

/** A page that a new installation lists on Explore: written by the build, stored by the server. */
export const StarterPage = z.object({
  slug: z.string(),
  title: z.string(),
  emoji: z.string(),
  topic: Topic,
  description: z.string(),
  licence: Licence,
  attribution: z.string(),
  components: z.array(Component),
});
export type StarterPage = z.infer<typeof StarterPage>;

const ID_PREFIX = "starter-";
export const starterPageId = (slug: string) => `${ID_PREFIX}${slug}`;

/** Whether a share comes with the product: the ids of all others are random. */
export const isStarterShare = (shareId: string) => shareId.startsWith(ID_PREFIX);
