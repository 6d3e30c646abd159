import { useEffect, useState } from "preact/hooks";

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const [isHeld, setIsHeld] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = (): void => setIsHeld(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return isHeld;
}
