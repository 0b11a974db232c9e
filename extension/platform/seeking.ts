import { browser } from "wxt/browser";

/** Runs in the page. */
function seek(seconds: number): boolean {
  const videos = [...document.querySelectorAll("video")];
  // The one that is watched is the largest.
  const [watched] = videos.toSorted((a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight);
  if (!watched) return false;
  watched.currentTime = seconds;
  watched.scrollIntoView({ block: "center" });
  return true;
}

/** Moves the video of a tab to a time; false where there is none, or where this tab may not be touched. */
export async function seekInTab(tabId: number, startMs: number): Promise<boolean> {
  const args: [number] = [startMs / 1000];
  const ran = browser.scripting.executeScript({ target: { tabId }, func: seek, args });
  const [frame] = await ran.catch(() => []);
  return frame?.result === true;
}
