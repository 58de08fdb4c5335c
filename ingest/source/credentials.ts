import { type AuthClient, GoogleAuth, PassThroughClient } from 'google-auth-library'
import { ProwlError } from '#lib/errors.ts'

/** `adc`: application default credentials, as Google's tools find them. */
export type Auth = 'anonymous' | 'adc'

const READ_ONLY = 'https://www.googleapis.com/auth/devstorage.read_only'

/** Anonymous in the one way that looks for no metadata server. BUCKET_CREDENTIALS where `adc` finds none that work. */
export async function credentials(auth: Auth = 'anonymous'): Promise<AuthClient> {
  if (auth === 'anonymous') return new PassThroughClient()
  try {
    const client = await new GoogleAuth({ scopes: READ_ONLY }).getClient()
    await client.getAccessToken()
    return client
  } catch (cause) {
    const why = (cause as Error).message.split('\n', 1)[0]
    const todo = 'run gcloud auth application-default login, or name a key file in GOOGLE_APPLICATION_CREDENTIALS'
    throw new ProwlError('BUCKET_CREDENTIALS', `no usable credentials (${why}); ${todo}`, { cause })
  }
}
