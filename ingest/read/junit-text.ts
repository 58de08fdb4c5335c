import sax from 'sax'
import { ProwlError } from '#lib/errors.ts'

/** Of one failure's text, UTF-16 units. */
const MAX_FAILURE = 256 * 1024
const MAX_NAME = 500
const MAX_DEPTH = 100
/** Of one element: the parser holds them all until its tag ends. */
const MAX_ATTRIBUTES = 1_000

/**
 * The failure texts of a JUnit file, while it streams: for each failed test a line `# suite.test`, the failure's
 * message unless its text begins with it, and the text. XML that breaks off yields what came before and then throws.
 * Entities that a document defines are unknown to the parser, so nothing expands.
 */
export async function* junitText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  const reader = new JunitReader()
  for await (const chunk of chunks) {
    reader.write(decoder.decode(chunk, { stream: true }))
    yield* reader.take()
    if (reader.fault) throw reader.fault
  }
  reader.write(decoder.decode())
  reader.close()
  yield* reader.take()
  if (reader.fault) throw reader.fault
}

class JunitReader {
  fault: Error | undefined
  readonly #parser = sax.parser(true)
  readonly #suites: string[] = []
  #depth = 0
  #attributes = 0
  #test = ''
  #failure: { message: string; text: string } | undefined
  #out: string[] = []

  constructor() {
    this.#parser.onerror = (error) => {
      this.fault ??= broken(error.message.replaceAll('\n', ' '))
    }
    // The parser goes on after a fault, to the end of what it was given: what it tells then depends on the chunks.
    const unlessBroken = <A extends unknown[]>(tell: (...args: A) => void) => {
      return (...args: A) => {
        if (!this.fault) tell(...args)
      }
    }
    const parser = this.#parser
    parser.onattribute = unlessBroken(() => this.#attribute())
    parser.onopentag = unlessBroken((tag) => this.#open(tag.name, tag.attributes as Record<string, string>))
    parser.onclosetag = unlessBroken((name) => this.#close(name))
    parser.ontext = unlessBroken((text) => this.#text(text))
    parser.oncdata = unlessBroken((text) => this.#text(text))
  }

  write(text: string): void {
    if (!this.fault) this.#parser.write(text)
  }

  close(): void {
    if (!this.fault) this.#parser.close()
  }

  take(): Uint8Array[] {
    const text = this.#out.join('')
    this.#out = []
    return text === '' ? [] : [Buffer.from(text)]
  }

  #attribute(): void {
    if (++this.#attributes > MAX_ATTRIBUTES) this.fault ??= broken('an element of too many attributes')
  }

  #open(tag: string, { name = '', message = '' }: Record<string, string>): void {
    this.#attributes = 0
    if (++this.#depth > MAX_DEPTH) this.fault ??= broken('nested too deep')
    if (tag === 'testsuite') this.#suites.push(name)
    else if (tag === 'testcase') this.#test = name
    else if (tag === 'failure' || tag === 'error') this.#failure = { message, text: '' }
  }

  #text(text: string): void {
    if (this.#failure && this.#failure.text.length < MAX_FAILURE)
      this.#failure.text += text.slice(0, MAX_FAILURE - this.#failure.text.length)
  }

  #close(name: string): void {
    this.#depth--
    if (name === 'testsuite') this.#suites.pop()
    if (name !== 'failure' && name !== 'error') return
    const { message, text } = this.#failure ?? { message: '', text: '' }
    this.#failure = undefined
    const body = text.trim()
    const parts = body.startsWith(message.trim()) ? [body] : [message.trim(), body]
    this.#out.push(`# ${title(this.#suites.at(-1), this.#test)}\n`)
    for (const part of parts) if (part !== '') this.#out.push(`${part}\n`)
  }
}

function broken(why: string): ProwlError {
  return new ProwlError('OBJECT_BROKEN', `not JUnit XML (${why}); kept what came`)
}

function title(suite: string | undefined, test: string): string {
  const name = suite ? `${suite}.${test}` : test
  return name.replaceAll(/\s+/g, ' ').slice(0, MAX_NAME)
}
