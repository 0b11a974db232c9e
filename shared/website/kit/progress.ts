import { useState } from "react";

function read<T>(key: string, initial: T): T {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? initial : (JSON.parse(stored) as T);
  } catch {
    return initial;
  }
}

/** State that survives a reload if the browser allows this page to store data. */
export function useProgress<T>(key: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState(() => read(`progress:${key}`, initial));
  return [
    value,
    (next) => {
      setValue(next);
      try {
        localStorage.setItem(`progress:${key}`, JSON.stringify(next));
      } catch {
        // Storage is full or denied: the progress lasts until the page is closed.
      }
    },
  ];
}
