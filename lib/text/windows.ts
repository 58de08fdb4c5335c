const OVERLAP = 4 * 1024

/** How many bytes at the end of a long line's window (see BlockCutter) the next window starts with. */
export function overlapOf(window: Uint8Array): number {
  const at = window.byteLength - OVERLAP
  for (let back = 0; back <= 3; back++) if (((window[at - back] ?? 0) & 0xc0) !== 0x80) return OVERLAP + back
  return OVERLAP
}
