/** What the extension's own documents tell each other; nothing of a page ever reaches this channel. */
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

/** Tells every document of the extension, this one too, that something on disk has changed. */
export function tell(news: News): void {
  // A channel reaches our own origin alone; it is windows that need a target named.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
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
