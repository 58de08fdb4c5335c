import { type AuthClient, GoogleAuth, PassThroughClient } from 'google-auth-library'
import { ProwlError } from '#lib/errors.ts'
import { orAborted, timeLimit } from './limits.ts'

/** `adc`: application default credentials, as Google's tools find them. */
export type Auth = 'anonymous' | 'adc'

const READ_ONLY = 'https://www.googleapis.com/auth/devstorage.read_only'

/**
 * Anonymous in the one way that looks for no metadata server. BUCKET_CREDENTIALS where `adc` finds none that work
 * within `timeoutMs`.
 */
export async function credentials(auth: Auth, timeoutMs: number): Promise<AuthClient> {
  if (auth === 'anonymous') return new PassThroughClient()
  const limit = timeLimit(timeoutMs)
  try {
    return await orAborted(defaultCredentials(), limit.signal)
  } catch (cause) {
    const why = (cause as Error).message.split('\n', 1)[0]
    const todo = 'run gcloud auth application-default login, or name a key file in GOOGLE_APPLICATION_CREDENTIALS'
    throw new ProwlError('BUCKET_CREDENTIALS', `no usable credentials (${why}); ${todo}`, { cause })
  } finally {
    limit.end()
  }
}

async function defaultCredentials(): Promise<AuthClient> {
  // No project is needed to read. Without one the library would ask Google's resource manager for it.
  const client = await new GoogleAuth({ scopes: READ_ONLY, projectId: 'none' }).getClient()
  await client.getAccessToken()
  return client
}
