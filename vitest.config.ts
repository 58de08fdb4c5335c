import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{lib,ingest,app,scripts,bench}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // Many tests wait for processes and clocks: vitest's own choice, a core less than there are, leaves two cores idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
