import type { Planned } from '../plan.ts'
import { random } from '../random.ts'
import { journal, klog } from '../times.ts'
import { nodeName, podName } from '../words.ts'

/** A node's journal for the quarter of an hour before `to` (epoch ms): kubelet and container runtime. */
export function nodeJournal(run: Planned, to: number): { node: string; lines: string[] } {
  const rng = random(run.seed, run.path, 'journal')
  const node = nodeName(run.job.cloud ?? 'aws', run.namespace, rng)
  const host = node.split('.')[0]
  const pid = rng.int(1500, 3000)
  const lines = Array.from({ length: 90 }, (_, nth) => {
    const at = to - (90 - nth) * 10_000 + rng.int(0, 9000)
    const kubelet = (level: string, text: string) =>
      `${journal(at)} ${host} kubenswrapper[${pid}]: ${level}${klog(at)}    ${pid} ${text}`
    if (rng.chance(0.2))
      return `${journal(at)} ${host} crio[1311]: time="${journal(at)}" level=info msg="Checking image status: quay.io/openshift/pod@sha256:${rng.hex(12)}"`
    if (rng.chance(0.04))
      return kubelet('E', 'controller.go:195] "Failed to update lease" err="etcdserver: request timed out"')
    return kubelet(
      'I',
      `kubelet.go:2453] "SyncLoop (PLEG): event for pod" pod="${podName(rng)}" event={"ID":"${rng.uuid()}","Type":"Container${rng.pick(['Started', 'Died'])}"}`,
    )
  })
  return { node, lines }
}
