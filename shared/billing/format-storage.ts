const GIGABYTE = 1024 ** 3;
const MEGABYTE = 1024 ** 2;

/** A size for a message: "1.5 GB", "300 MB". */
export const formatStorageSize = (bytes: number): string =>
  bytes >= GIGABYTE ? `${Math.round((bytes / GIGABYTE) * 10) / 10} GB` : `${Math.ceil(bytes / MEGABYTE)} MB`;
