import type { Channel } from "./channels.js";

/** Maximum number of texts that a channel remembers to detect duplicates. */
const RECENT_TEXTS_MAX = 5000;

/** Remembers a text. @param text - with its sender and second. @returns false when the channel has it already */
export function isNewText(channel: Channel, text: string): boolean {
  channel.recentTexts ??= new Set();
  if (channel.recentTexts.has(text)) return false;
  channel.recentTexts.add(text);
  if (channel.recentTexts.size > RECENT_TEXTS_MAX) {
    for (const oldest of channel.recentTexts) {
      channel.recentTexts.delete(oldest);
      break;
    }
  }
  return true;
}
