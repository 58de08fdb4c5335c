import { z } from 'zod'

/**
 * `again`: the first incident since a change. `back`: since a change it strikes as before. `group`: unexplained failures
 * of a kind that was not known.
 */
export const NoticeKind = z.enum(['again', 'back', 'group'])
export type NoticeKind = z.infer<typeof NoticeKind>

/** A change of state that people are told of, once. */
export const Notice = z.object({
  /** Made of what changed: the same change has the same id whoever finds it. */
  id: z.string(),
  /** When the worker noticed, epoch ms. */
  at: z.number(),
  kind: NoticeKind,
  signature: z.string().optional(),
  group: z.string().optional(),
  title: z.string(),
  sentence: z.string(),
  /** The page that tells more: a path of the app. */
  link: z.string(),
})
export type Notice = z.infer<typeof Notice>

/** How a signature stood when the worker last looked. Epoch ms. */
export const Standing = z.object({
  state: z.string(),
  /** The last of the changes judged. */
  change: z.number().optional(),
  /** How often it struck since that change, and when it last did at all. */
  since: z.number(),
  last: z.number().optional(),
  /** Ids of the notices given. */
  told: z.array(z.string()),
})
export type Standing = z.infer<typeof Standing>

/** What the worker keeps of notices, as one value: a notice and the standing that it came of are noted together. */
export const NoticeState = z.object({
  /** When it first looked, epoch ms. */
  from: z.number(),
  /** By signature. */
  standings: z.record(z.string(), Standing),
  /** When a group was first seen to be new, by id; epoch ms. */
  groups: z.record(z.string(), z.number()),
  /** The latest, oldest first. */
  notices: z.array(Notice),
  /** Ids of those that are still to be posted, in turn. */
  unsent: z.array(z.string()),
  /** The webhook asked to be left alone until then, epoch ms. */
  notBefore: z.number().optional(),
})
export type NoticeState = z.infer<typeof NoticeState>
