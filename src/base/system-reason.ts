/** Words for what the operating system refuses, by its code. */
const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "it may not be opened by this user",
  EPERM: "it may not be opened by this user",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  ENOSPC: "the disk is full",
  EROFS: "the disk may not be written",
  EMFILE: "too many files are open",
  ELOOP: "its links lead in a circle",
};

/** Why an operation on a file failed, in words that a user understands: `there is no such file or folder (ENOENT)`. */
export function systemReason(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const reason = words[code];
  return reason === undefined ? error.message : `${reason} (${code})`;
}
