import type { Instrumentation } from 'next'

/** A bad setting ends the server before it listens. Throws CONFIG_INVALID. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the bundler replaces it, and leaves Node's modules out of the edge build
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { logEnded } = await import('#app/_server/log.ts')
  const { watchReaders } = await import('#app/_server/reader.ts')
  const { countEnded } = await import('#app/_server/metrics.ts')
  watchReaders((ended) => {
    logEnded(ended)
    countEnded(ended)
  })
  const { watchServers } = await import('#app/_server/front.ts')
  const { createPace } = await import('#app/_server/pace.ts')
  const { readConfig } = await import('#lib/config.ts')
  watchServers(createPace(readConfig()))
}

export const onRequestError: Instrumentation.onRequestError = async (...failure) => {
  // biome-ignore lint/style/noProcessEnv: as above
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { logRequestError } = await import('#app/_server/log.ts')
  await logRequestError(...failure)
}
