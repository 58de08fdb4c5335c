/**
 * Lines that are planted for patterns to find: each needle `times` over in a day, and by chance `perMiB` beside that. An
 * ordinary line may match too, once in many GiB: lines are counted in the text, not as they are planted.
 */
export interface Needle {
  readonly lines: readonly string[]
  readonly perMiB?: number
  /** 1 where not given. */
  readonly times?: number
}

const BEAT =
  'failed to send heartbeat for resource "{uuid}": Post http://boskos.ci/update?name={uuid}&owner={ns}&state=leased: '
const NO_ROUTE = `${BEAT}dial tcp 172.30.131.17:80: connect: no route to host`

export const NEEDLES = {
  heartbeat: { lines: [`${BEAT}EOF`, NO_ROUTE, NO_ROUTE, NO_ROUTE], perMiB: 0.1 },
  noRoute: {
    lines: ['Unable to connect to the server: dial tcp {ip}:6443: connect: no route to host'],
    perMiB: 0.6,
  },
  sandbox: {
    lines: [
      'E{klog} {pid} {file}] "Failed to create pod sandbox" err="rpc error: code = Unknown desc = {word} {word}" pod="{ns}/{pod}"',
    ],
    perMiB: 0.6,
  },
  etcdTimeout: { lines: ['Error from server: etcdserver: request timed out, {word} {n}'], perMiB: 0.05 },
  etcdSpace: {
    lines: ['rpc error: code = ResourceExhausted desc = etcdserver: mvcc: database space exceeded'],
    perMiB: 0.04,
  },
  raft: {
    lines: ['{"level":"fatal","ts":"{isoMicro}","msg":"raft: stopped unexpectedly","id":"{hex8}"}'],
    perMiB: 0.03,
  },
  bootstrap: { lines: ['level=fatal msg="Bootstrap failed to complete: {word} {word}: {minutes}"'], perMiB: 0.05 },
  instance: {
    lines: ['level=error msg="Error: Error waiting for instance (i-{hex8}{hex8}) to become ready: {word}"'],
    perMiB: 0.05,
  },
  quota: { lines: ["googleapi: Error 403: Quota exceeded for quota metric '{Word}' and limit '{Word}'"], perMiB: 0.05 },
  lookup: { lines: ['dial tcp: lookup {component}.{ns}.svc on {ip}:53: no such host'], perMiB: 0.1 },
  ginkgo: { lines: ['  [FAILED] Timed out after {seconds}s.', '  [FAIL] {test} [It] {word}'], perMiB: 0.1 },
  rare: {
    lines: ['reconciler gave up: DiskPressureEvictionLoop on {node} (96d3f5a8-c408-4762-91de-56d9add422a4)'],
    times: 3,
  },
  /** 60 kB without the letter z, and with a y only at its start: where `x.*y.*z` backtracks. */
  dump: { lines: ['I{klog} {pid} payload: {dump}'], times: 2 },
} satisfies Readonly<Record<string, Needle>>

export type NeedleName = keyof typeof NEEDLES
