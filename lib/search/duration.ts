const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** Longest span that a search may ask for: ten years, in ms. */
export const MAX_DURATION_MS = 10 * 366 * 86_400_000

/**
 * Milliseconds of a duration as Go prints it (`336h0m0s`, `1.5h`, `90m`), with days and weeks beside (`7d`, `1d12h`);
 * undefined for anything else, for zero and for what exceeds ten years. Format: https://pkg.go.dev/time#ParseDuration
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64 || !/^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h|d|w))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([a-zµμ]+)/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  const rounded = Math.round(total)
  return rounded > 0 && rounded <= MAX_DURATION_MS ? rounded : undefined
}

/** The shortest exact form: `14d`, `36h`, `1h30m`, `250ms`. */
export function formatDuration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000}d`
  let rest = ms
  let text = ''
  for (const unit of ['h', 'm', 's', 'ms']) {
    const size = UNITS[unit] ?? 1
    const amount = Math.floor(rest / size)
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * size
  }
  return text
}
