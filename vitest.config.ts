import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{lib,ingest,app,scripts,bench}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
