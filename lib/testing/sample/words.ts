import type { Random } from './random.ts'

/** Names that believable logs are made of. */

const SIGS = [
  'api-machinery',
  'apps',
  'auth',
  'cli',
  'imageregistry',
  'network',
  'node',
  'operator',
  'scheduling',
  'storage',
]
const SUBJECTS = [
  'ConfigMap volumes',
  'Deployment rollouts',
  'Services of type NodePort',
  'EndpointSlices',
  'ResourceQuota',
  'StatefulSets with ordered pods',
  'CronJobs with a history limit',
  'Secrets mounted by two pods',
  'Routes with re-encrypt termination',
  'Builds from a Dockerfile',
  'ImageStream imports',
  'PersistentVolumes of the default class',
  'Pods with init containers',
  'NetworkPolicy between namespaces',
  'the OAuth server',
  'oc adm must-gather',
]
const BEHAVIOURS = [
  'should survive a restart of the kubelet',
  'should be updated when their owner changes',
  'should report ready within two minutes',
  'should be removed in the background',
  'should keep serving while a node drains',
  'should be rejected beyond the limit',
  'should resolve names of both families',
  'should write no secret to the log',
  'should be listed in pages',
]
const SUITES = [
  '[Suite:openshift/conformance/parallel]',
  '[Suite:openshift/conformance/parallel/minimal]',
  '[Suite:k8s]',
]

export const testName = (rng: Random) =>
  `[sig-${rng.pick(SIGS)}] ${rng.pick(SUBJECTS)} ${rng.pick(BEHAVIOURS)} ${rng.pick(SUITES)}`

export const OPERATORS = [
  'authentication',
  'cluster-autoscaler',
  'console',
  'dns',
  'etcd',
  'image-registry',
  'ingress',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'machine-api',
  'machine-config',
  'monitoring',
  'network',
  'openshift-apiserver',
  'storage',
]

const REGIONS = { aws: ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'], gcp: ['us-central1', 'us-east1'] } as const

export const region = (cloud: 'aws' | 'gcp', rng: Random) => rng.pick<string>(REGIONS[cloud])

export function nodeName(cloud: 'aws' | 'gcp', namespace: string, rng: Random): string {
  if (cloud === 'gcp') return `${namespace}-${rng.pick(['m-0', 'm-1', 'm-2', `w-b-${rng.name(5)}`])}`
  return `ip-10-0-${rng.int(128, 223)}-${rng.int(4, 250)}.ec2.internal`
}

export const podName = (rng: Random) =>
  `openshift-${rng.pick(OPERATORS)}/${rng.pick(OPERATORS)}-operator-${rng.hex(10)}-${rng.name(5)}`

export const sha256 = (rng: Random) => `sha256:${rng.hex(64)}`

const BASES = { aws: 'origin-ci-int-aws.dev.rhcloud.com', gcp: 'origin-ci-int-gce.dev.openshift.com' } as const

/** Host of the API of the cluster under test. */
export const apiHost = (namespace: string, cloud: 'aws' | 'gcp') => `api.${namespace}.${BASES[cloud]}`
