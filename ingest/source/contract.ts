import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listing, ListOptions, Source } from './source.ts'

export interface ContractBucket {
  /** Opens the bucket that holds these objects. */
  fill(objects: Readonly<Record<string, Uint8Array>>): Promise<void>
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Pages of about so many names. */
  open(pageSize?: number): Promise<Source>
}

const LONG = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `line ${i} ${i * i}\n`).join(''))
function cutShort(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length * 0.9))
}

const OBJECTS: Readonly<Record<string, Uint8Array>> = {
  'logs/a/1/build-log.txt': Buffer.from('one\n'),
  'logs/a/1/finished.json': Buffer.from('{}'),
  'logs/a/1/artifacts/x/y.log': gzipSync('why\n'),
  'logs/a/10/build-log.txt': Buffer.from(''),
  'logs/a/2/build-log.txt': Buffer.from('two\n'),
  'logs/a/latest-build.txt': Buffer.from('10'),
  'logs/b-1/7/a%23b#c d+é🙂.txt': Buffer.from('odd name\n'),
  'logs/b/3/one.txt': Buffer.from('x'),
  'logs/b/3/long.txt': gzipSync(LONG),
  'logs/b/3/two-members.txt': Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]),
  'logs/b/3/cut.txt': cutShort(gzipSync(LONG)),
  'logs/b/3/binary.bin': Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) % 256),
  'pr-logs/directory/p/9.txt': Buffer.from('gs://bucket/pr-logs/pull/o_r/1/p/9'),
}

/** The laws of the Source port, for any bucket that can be filled. */
export function describeSource(name: string, bucket: () => Promise<ContractBucket>): void {
  describe(`a source: ${name}`, () => {
    let at: ContractBucket
    let source: Source
    beforeAll(async () => {
      at = await bucket()
      await at.fill(OBJECTS)
      source = await at.open()
    })
    afterAll(() => source.close())

    const listings: [ListOptions, string[], string[]][] = [
      [{ prefix: '', delimiter: '/' }, [], ['logs/', 'pr-logs/']],
      [{ prefix: 'logs/', delimiter: '/' }, [], ['logs/a/', 'logs/b-1/', 'logs/b/']],
      [{ prefix: 'logs/a/', delimiter: '/' }, ['logs/a/latest-build.txt'], ['logs/a/1/', 'logs/a/10/', 'logs/a/2/']],
      [{ prefix: 'logs/b', delimiter: '/' }, [], ['logs/b-1/', 'logs/b/']],
      [
        { prefix: 'logs/a/', delimiter: '/', startOffset: 'logs/a/10' },
        ['logs/a/latest-build.txt'],
        ['logs/a/10/', 'logs/a/2/'],
      ],
      [{ prefix: 'logs/a/', delimiter: '/', startOffset: 'logs/a/15' }, ['logs/a/latest-build.txt'], ['logs/a/2/']],
      [{ prefix: 'logs/a/', delimiter: '/', startOffset: 'logs/a/10', endOffset: 'logs/a/2' }, [], ['logs/a/10/']],
      [{ prefix: 'logs/a/', delimiter: '/', endOffset: 'logs/a/2/b' }, [], ['logs/a/1/', 'logs/a/10/', 'logs/a/2/']],
      [{ prefix: 'logs/a/1', endOffset: 'logs/a/1/build-log.txt' }, ['logs/a/1/artifacts/x/y.log'], []],
      [{ prefix: 'logs/none/', delimiter: '/' }, [], []],
      [{ prefix: '../', delimiter: '/' }, [], []],
      [
        { prefix: 'logs/a/1' },
        ['logs/a/1/artifacts/x/y.log', 'logs/a/1/build-log.txt', 'logs/a/1/finished.json', 'logs/a/10/build-log.txt'],
        [],
      ],
    ]
    it.each(listings)('lists %o', async (options, objects, prefixes) => {
      const listing = await source.list(options)
      expect(listing.objects.map((info) => info.name)).toEqual(objects)
      expect(listing.prefixes).toEqual(prefixes)
      expect(listing.nextPageToken).toBeUndefined()
    })

    it('lists in pages, each name once', async () => {
      const paged = await at.open(2)
      const pages = await allPages(paged, { prefix: '' })
      expect(pages.length).toBeGreaterThan(2)
      expect(pages.flatMap((page) => page.objects.map((info) => info.name)).sort()).toEqual(Object.keys(OBJECTS).sort())
      const prefixes = (await allPages(paged, { prefix: 'logs/', delimiter: '/' })).flatMap((page) => page.prefixes)
      expect(prefixes).toEqual(['logs/a/', 'logs/b-1/', 'logs/b/'])
      await paged.close()
    })

    it.each(Object.keys(OBJECTS))('tells size and generation of %s', async (object) => {
      const info = await source.stat(object)
      expect(info).toMatchObject({ name: object, size: OBJECTS[object]?.length })
      const listed = await source.list({ prefix: object })
      expect(listed.objects[0]).toMatchObject({ name: object, generation: info?.generation, size: info?.size })
    })

    it.each(['logs/a/1', 'logs/a/1/', 'nothing', 'logs/../logs/a/1/build-log.txt', 'x\0y'])(
      'has no object %j',
      async (object) => {
        expect(await source.stat(object)).toBeUndefined()
        await expect(bytesOf(source, object)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' })
      },
    )

    const plain = [
      'logs/a/1/build-log.txt',
      'logs/a/10/build-log.txt',
      'logs/b/3/binary.bin',
      'logs/b-1/7/a%23b#c d+é🙂.txt',
    ]
    it.each(plain)('reads %s', async (object) => {
      expect(await bytesOf(source, object)).toEqual(Buffer.from(OBJECTS[object] ?? []))
    })

    it('gunzips by content, members and all', async () => {
      expect((await bytesOf(source, 'logs/a/1/artifacts/x/y.log')).toString()).toBe('why\n')
      expect((await bytesOf(source, 'logs/b/3/two-members.txt')).toString()).toBe('first\nsecond\n')
      expect((await bytesOf(source, 'logs/b/3/long.txt')).equals(LONG)).toBe(true)
    })

    it('gives the text of a gzip that ends early, then says so', async () => {
      const chunks: Uint8Array[] = []
      const read = async () => {
        for await (const chunk of source.read('logs/b/3/cut.txt')) chunks.push(chunk)
      }
      await expect(read()).rejects.toMatchObject({ code: 'OBJECT_BROKEN' })
      const text = Buffer.concat(chunks)
      expect(text.length).toBeGreaterThan(LONG.length * 0.85)
      expect(LONG.subarray(0, text.length).equals(text)).toBe(true)
    })

    it('can be left in the middle of an object', async () => {
      for await (const chunk of source.read('logs/b/3/binary.bin')) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      expect((await bytesOf(source, 'logs/a/1/build-log.txt')).toString()).toBe('one\n')
    })

    it('reads the generation asked for, or says that it changed', async () => {
      await at.put('logs/b/3/changing.txt', Buffer.from('before\n'))
      const before = await source.stat('logs/b/3/changing.txt')
      const generation = before?.generation ?? ''
      expect((await bytesOf(source, 'logs/b/3/changing.txt', generation)).toString()).toBe('before\n')
      await at.put('logs/b/3/changing.txt', Buffer.from('afterwards\n'))
      await expect(bytesOf(source, 'logs/b/3/changing.txt', generation)).rejects.toMatchObject({
        code: 'OBJECT_CHANGED',
      })
      expect((await bytesOf(source, 'logs/b/3/changing.txt')).toString()).toBe('afterwards\n')
    })

    it('stops when told to', async () => {
      const signal = AbortSignal.abort()
      await expect(source.list({ prefix: '', signal })).rejects.toMatchObject({ name: 'AbortError' })
      const read = async () => {
        for await (const _ of source.read('logs/b/3/binary.bin', { signal })) throw new Error('read on')
      }
      await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
    })
  })
}

async function allPages(source: Source, options: ListOptions): Promise<Listing[]> {
  const pages: Listing[] = []
  let pageToken: string | undefined
  do {
    const page = await source.list({ ...options, ...(pageToken === undefined ? {} : { pageToken }) })
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

async function bytesOf(source: Source, name: string, generation?: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source.read(name, generation === undefined ? {} : { generation })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
