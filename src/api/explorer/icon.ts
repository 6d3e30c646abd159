/** A handset, as the page's icon: an SVG. */
export const icon: string = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<rect x="8" y="2" width="16" height="28" rx="3.5" fill="#17324d"/>',
  '<rect x="10.5" y="6" width="11" height="17" rx="1" fill="#e9f5f2"/>',
  '<path d="M12.5 19.5v-3M16 19.5v-6M19.5 19.5v-9" stroke="#0f8a6b" stroke-width="2" stroke-linecap="round"/>',
  '<circle cx="16" cy="26.5" r="1.4" fill="#e9f5f2"/>',
  "</svg>",
].join("");
