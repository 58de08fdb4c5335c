import { scaleUtc } from 'd3-scale'
import { isCounted } from '../incident/votes.ts'
import type { Incident } from '../model/incident.ts'
import type { Change } from '../model/signature.ts'
import { byWeight, thinned } from './thinned.ts'

export interface Strip {
  readonly width: number
  readonly height: number
  readonly ticks: readonly {
    readonly id: string
    readonly at: number
    readonly x: number
    readonly y1: number
    readonly y2: number
    readonly runs: number
    readonly jobs: number
    /** False below two votes: "one PR only". */
    readonly counted: boolean
    /** Others in the same place, which this one stands for. */
    readonly more: number
  }[]
  readonly changes: readonly { readonly at: number; readonly title: string; readonly x: number }[]
  /** From here on runs are not complete. */
  readonly hatch?: { readonly x: number; readonly width: number }
}

/** A signature's incidents as ticks in one line of a table, taller with the runs hit. */
export function strip(
  input: {
    readonly window: { readonly from: number; readonly to: number }
    readonly incidents: readonly Incident[]
    readonly changes: readonly Change[]
    readonly completeTo?: number
  },
  width = 240,
  height = 20,
): Strip {
  const { window, incidents, changes, completeTo } = input
  const x = scaleUtc([window.from, window.to], [1, width - 1])
  const place = (at: number) => Math.round(x(at) * 10) / 10
  const within = ({ at }: { readonly at: number }) => at >= window.from && at <= window.to
  const ticks = incidents.filter(within).map(({ id, at, runs, jobs, votes }) => ({
    ...{ id, at, x: place(at) },
    y1: Math.round(height - height * Math.min(1, 0.4 + 0.15 * Math.log2(runs.length))),
    y2: height,
    runs: runs.length,
    jobs: jobs.length,
    counted: isCounted({ votes }),
  }))
  return {
    width,
    height,
    ticks: thinned(ticks, 1, byWeight),
    changes: changes.filter(within).map(({ at, title }) => ({ at, title, x: place(at) })),
    ...(completeTo !== undefined &&
      completeTo < window.to && {
        hatch: {
          x: place(Math.max(completeTo, window.from)),
          width: width - 1 - place(Math.max(completeTo, window.from)),
        },
      }),
  }
}
