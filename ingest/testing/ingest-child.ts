import { runIngest } from '../run-ingest.ts'

/** Reads a directory into a data directory and prints the most memory that it took, in KiB. */
const [bucket = '', dataDir = ''] = process.argv.slice(2)
await runIngest({ bucket, dataDir, signatureDirs: ['signatures'], sinceMs: undefined, everyMs: undefined })
console.log(process.resourceUsage().maxRSS)
