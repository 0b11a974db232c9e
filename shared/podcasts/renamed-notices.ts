import type { Podcast } from "./schema.ts";

type Notice = Podcast["notices"][number];

/** Notices that earlier versions stored, on the server and in browsers, with their present names. */
export const RENAMED_NOTICES: Readonly<Record<string, Notice>> = { shorter_than_wished: "shorter_than_requested" };

/** An episode that a browser may have stored with an earlier version. */
export const renameNotices = <T extends Pick<Podcast, "notices">>(podcast: T): T => ({
  ...podcast,
  notices: podcast.notices.map((notice) => RENAMED_NOTICES[notice] ?? notice),
});
