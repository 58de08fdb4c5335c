/** What goes wrong with one answer. Counts are bytes of the body as it is on the wire. */
export type Fault =
  /** Passed on whole: for rules that only do something `meanwhile`. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  /** Nothing, for ever. */
  | { readonly kind: 'hang' }
  /** So many bytes, then nothing, for ever. */
  | { readonly kind: 'stall'; readonly after: number }
  /** So many bytes, then the connection is closed. */
  | { readonly kind: 'cut'; readonly after: number }
  /** So many bytes, then RST; absent: before the headers. */
  | { readonly kind: 'reset'; readonly after?: number }
  | { readonly kind: 'corrupt'; readonly at: number }
  /** The content-encoding says gzip, or nothing, whatever the bytes are. */
  | { readonly kind: 'label'; readonly encoding: 'gzip' | 'none' }
  /** The server is not told a parameter of the query. */
  | { readonly kind: 'forget'; readonly parameter: string }
  /** The server is told that gzip is not accepted: it gunzips what is stored with that encoding. */
  | { readonly kind: 'transcode' }
  /** So many bytes, and a content-length that agrees. */
  | { readonly kind: 'short'; readonly to: number }
  /** Pieces of so many bytes, with a pause before each, ms. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly pauseMs: number }

/** Headers in Node's raw form, names and values by turns, but for one. */
export function without(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => raw[i - (i % 2)]?.toLowerCase() !== name)
}

/** The raw headers of an answer as the fault leaves them. */
export function headersUnder(raw: readonly string[], fault: Fault | undefined): string[] {
  if (fault?.kind === 'short') return [...without(raw, 'content-length'), 'content-length', String(fault.to)]
  if (fault?.kind !== 'label') return [...raw]
  return [...without(raw, 'content-encoding'), ...(fault.encoding === 'gzip' ? ['content-encoding', 'gzip'] : [])]
}

/** The body's bytes as the fault leaves them; a number is a pause, ms. */
export async function* bent(
  body: AsyncIterable<Uint8Array>,
  fault: Fault | undefined,
): AsyncGenerator<Uint8Array | number> {
  const end = endOf(fault)
  let at = 0
  for await (const chunk of body) {
    const piece = chunk.subarray(0, Math.max(0, end - at))
    if (fault?.kind === 'corrupt' && fault.at >= at && fault.at < at + piece.length)
      piece[fault.at - at] = ~(piece[fault.at - at] ?? 0)
    if (fault?.kind === 'drip') yield* dripped(piece, fault)
    else if (piece.length > 0) yield piece
    at += piece.length
    if (at >= end) return
  }
}

function endOf(fault: Fault | undefined): number {
  if (fault?.kind === 'short') return fault.to
  if (fault?.kind === 'stall' || fault?.kind === 'cut' || fault?.kind === 'reset') return fault.after ?? 0
  return Number.POSITIVE_INFINITY
}

function* dripped(piece: Uint8Array, { bytes, pauseMs }: { bytes: number; pauseMs: number }) {
  for (let from = 0; from < piece.length; from += bytes) {
    yield pauseMs
    yield piece.subarray(from, from + bytes)
  }
}
