import type { Share } from '#lib/triage/share.ts'
import { percent } from './format.ts'

/** Counts from here on are told well enough by their share alone. */
const MANY = 100

/** `12% (10–14)`: a share of few with its 95% interval. */
export function shareText(share: Share): string {
  const { part, whole } = share
  const bounds = intervalText(share)
  return part < MANY && bounds !== '' ? `${percent(part, whole)} (${bounds})` : percent(part, whole)
}

/** `10–14`, in percent; empty of nothing. */
export function intervalText({ whole, interval: { low, high } }: Share): string {
  return whole === 0 ? '' : `${bound(low)}–${bound(high)}`
}

function bound(value: number): string {
  const share = 100 * value
  return share === 0 || share >= 10 ? String(Math.round(share)) : share.toPrecision(share < 1 ? 1 : 2)
}
