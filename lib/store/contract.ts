import { afterEach, beforeEach, describe } from 'vitest'
import { counts, hits } from './contract/counts.ts'
import { evidence } from './contract/evidence.ts'
import { filters } from './contract/filters.ts'
import type { Given } from './contract/given.ts'
import { notes } from './contract/notes.ts'
import { paging } from './contract/paging.ts'
import { plans } from './contract/plans.ts'
import { emptyStore, publishing } from './contract/publishing.ts'
import { findings, replacing } from './contract/replacing.ts'
import { blocks, upkeep } from './contract/text.ts'
import type { Store } from './store.ts'

/** The laws of the port, as one suite that every store passes. `open` gives an empty store of its own. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())
    const given: Given = {
      get store() {
        return store
      },
    }
    describe('an empty store', () => emptyStore(given))
    describe('publishing', () => publishing(given))
    describe('replacing a run', () => replacing(given))
    describe('findings of signatures', () => findings(given))
    describe('order and pages', () => paging(given))
    describe('filters', () => filters(given))
    describe('blocks', () => blocks(given))
    describe('plans', () => plans(given))
    describe('hits', () => hits(given))
    describe('counts', () => counts(given))
    describe('sweeps and retention', () => upkeep(given))
    describe('notes', () => notes(given))
    describe('evidence', () => evidence(given))
  })
}
