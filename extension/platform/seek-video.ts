import { browser } from "wxt/browser";

/** Injected into the page. */
function seek(seconds: number): boolean {
  const videos = [...document.querySelectorAll("video")];
  // The largest video is the one being watched.
  const [watched] = videos.toSorted((a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight);
  if (!watched) return false;
  watched.currentTime = seconds;
  watched.scrollIntoView({ block: "center" });
  return true;
}

/** Moves a tab's video to a time; false if there is none or the tab cannot be accessed. */
export async function seekInTab(tabId: number, startMs: number): Promise<boolean> {
  const args: [number] = [startMs / 1000];
  const execution = browser.scripting.executeScript({ target: { tabId }, func: seek, args });
  const [frame] = await execution.catch(() => []);
  return frame?.result === true;
}
