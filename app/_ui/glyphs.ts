/** What the renderer's built-in font can show: for anything else it would fetch fonts from elsewhere. */
const OTHERS =
  /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u0400-\u045f\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2192\u2264\u2265\u25cb\u25cf]/gu

/** A text as images show it: what they have no glyph for is `?`. */
export function drawable(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(OTHERS, '?')
}
