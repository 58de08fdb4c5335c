import { defineConfig } from 'vitest/config'

/** What starts processes, or keeps something for the whole process, has one to itself. */
const APART = ['app/**', 'ingest/**', 'scripts/**', 'bench/**']

export default defineConfig({
  test: {
    pool: 'forks',
    // Many tests wait for processes and clocks: vitest's own choice, a core less than there are, leaves two cores idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'apart', include: APART.map((dir) => `${dir}/*.test.{ts,tsx}`) } },
      // A quarter of their time would be the start of a process for each file.
      { extends: true, test: { name: 'lib', include: ['lib/**/*.test.ts'], isolate: false } },
    ],
  },
})
