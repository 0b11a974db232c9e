/** Messages between the extension's own documents; pages have no access to this channel. */
type News = "account" | "captures" | "work" | "saved" | "library" | "full" | "gesture";

const NAME = "lamplight";
const here = new Set<(news: News) => void>();
let channel: BroadcastChannel | undefined;

function open(): BroadcastChannel {
  if (channel) return channel;
  channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<News>) => tellHere(data));
  return channel;
}

function tellHere(news: News): void {
  for (const listener of here) listener(news);
}

/** Notifies all documents of the extension, including this one, of a change on disk. */
export function tell(news: News): void {
  // BroadcastChannel reaches only our origin; a target is needed only for windows.
  open().postMessage(news);
  tellHere(news);
}

export function listen(wanted: News, heard: () => void): () => void {
  open();
  const listener = (news: News) => {
    if (news === wanted) heard();
  };
  here.add(listener);
  return () => here.delete(listener);
}
