import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { deckDiscovery } from '../discover/deck.ts'
import { memorySource } from '../discover/testing/memory-source.ts'
import { prowJob } from '../discover/testing/prow-job.ts'

/** A process of its own, so that its heap can be limited: asks a Deck of so many entries, one of a thousand wanted. */
const entries = Number(process.argv[2])
const NOW = Date.UTC(2026, 4, 1)
const id = (at: number) => snowflakeAt(NOW - at * 10)
const [wanted, other] = ['wanted', 'other']
let sent = 0

const server = createServer(async (_, response) => {
  response.writeHead(200)
  let text = 'var allBuilds = {"items":['
  for (let at = 0; at < entries; at++) {
    const item = prowJob({ job: at % 1000 === 0 ? wanted : other, id: id(at), startTime: NOW - at * 10 })
    text += `${at > 0 ? ',' : ''}${JSON.stringify(item)}`
    if (text.length < 65_536) continue
    sent += text.length
    if (!response.write(text)) await once(response, 'drain')
    text = ''
  }
  response.end(`${text}]};`)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const deck = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const bucket = Array.from({ length: entries / 1000 }, (_, at) => `logs/${wanted}/${id(at * 1000)}/started.json`)
const source = memorySource(new Map(bucket.map((name) => [name, { text: '{}' }])))
const { runs, skipped } = await deckDiscovery({ deck, source }).find({
  jobs: (job) => job === wanted,
  from: 0,
  knownTimes: async () => new Map(),
})
console.info(JSON.stringify({ runs: runs.length, skipped, sent }))
server.close()
