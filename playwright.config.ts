import { defineConfig } from 'playwright/test'
import type { StoreOptions } from './e2e/store.ts'

/** Another one where several checkouts are tested side by side. */
const PORT = Number(process.env.E2E_PORT ?? 3187)

/** The browser tests run against what `npm start` serves: the built app, the real worker, the sample bucket. */
export default defineConfig<object, StoreOptions>({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  reporter: [[process.env.CI ? 'line' : 'list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 60_000,
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'embedded' },
    { name: 'elasticsearch', testMatch: 'way.spec.ts', use: { storeName: 'elasticsearch' } },
  ],
  webServer: {
    command: `${process.execPath} scripts/run.js scripts/start.ts --port ${PORT} --data .e2e`,
    url: `http://127.0.0.1:${PORT}/api/v1/status`,
    timeout: 600_000,
    reuseExistingServer: !process.env.CI,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})
