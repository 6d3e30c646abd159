/** An absolute URL: a relative path is joined to the base. */
export function absoluteUrl(base: string, path: string): string {
  if (/^https?:\/\//.test(path)) return path;
  return `${base.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
}

/**
 * The native attachment (`type:url`) for the media of a message. Media without a type are images; a URL with an
 * expression stays as it is.
 */
export function attachmentOf(base: string, media: string): string {
  if (media === "") return "";
  const typed = /^(?!https?:\/\/)([^:]*):(.*)$/s.exec(media);
  const [type = "image", url = media] = typed === null ? [] : typed.slice(1);
  return url.includes("@") ? media : `${type}:${absoluteUrl(base, url)}`;
}
