import { z } from 'zod'

export type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> }

/** Of each field of `T` a schema that says as much as its type does; of nothing else. */
type Fields<T, F> = {
  readonly [K in keyof T]-?: K extends keyof F
    ? F[K] extends z.ZodType
      ? Frozen<Exclude<T[K], undefined>> extends Frozen<z.output<F[K]>>
        ? z.ZodType<T[K]>
        : { readonly 'its type is wider than this schema': T[K] }
      : z.ZodType<T[K]>
    : z.ZodType<T[K]>
} & { readonly [K in Exclude<keyof F, keyof T>]: never }

/** The schema of an object that is a `T`, tied to it by the compiler: a field that is not described, or is no more, is an error. */
export function shape<T>() {
  return <F extends z.ZodRawShape & Fields<T, F>>(fields: F): z.ZodObject<F, z.core.$strict> => z.strictObject(fields)
}

/** A bound of an interval: infinity, which JSON has no word for, is null. */
export const Bound = z.number().nullable() as unknown as z.ZodType<number>
/** Epoch ms, UTC. */
export const Time = z.number().meta({ description: 'Epoch milliseconds, UTC' })
export const Day = z.string().meta({ description: 'A UTC day, 2026-11-03' })
export const Count = z.int().min(0)
export const texts = z.array(z.string())
