/** Notices of the browser: asked for by a press of the student alone, shown by the service worker. */

export type NoticePermission = NotificationPermission | "unsupported";

const isSupported = () => typeof Notification !== "undefined" && "serviceWorker" in navigator;

/** What this browser was told about notices of ours. */
export const noticePermission = (): NoticePermission => (isSupported() ? Notification.permission : "unsupported");

/** Asks the student, through the browser; to be called from a press and from nowhere else. */
export async function askForNotices(): Promise<NoticePermission> {
  return isSupported() ? Notification.requestPermission() : "unsupported";
}

export interface Notice {
  title: string;
  body: string;
  /** One of a tag stands at a time: a later one takes the place of the earlier. */
  tag: string;
  /** Where a press on it leads, within this app. */
  path: string;
}

/** Shows a notice without a sound; resolves to whether there was a worker to show it. */
export async function showNotice({ title, body, tag, path }: Notice): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration?.active) return false;
  await registration.showNotification(title, { body, tag, silent: true, icon: "/favicon.svg", data: { path } });
  return true;
}
