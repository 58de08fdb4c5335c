const PLATFORMS = ['aws', 'gcp', 'azure', 'vsphere', 'metal-ipi', 'openstack']
const SUITES = ['e2e', 'e2e-serial', 'e2e-upgrade', 'e2e-ovn', 'e2e-operator']

export const JOBS: readonly string[] = PLATFORMS.flatMap((platform) =>
  SUITES.map((suite) => `periodic-ci-release-main-nightly-${suite}-${platform}`),
)

export const COMPONENTS =
  'apiserver etcd kube-controller-manager scheduler kubelet console authentication ingress-router dns-default ovnkube-node multus image-registry cluster-monitoring prometheus-k8s alertmanager-main node-exporter machine-api-operator machine-config-daemon cloud-credential-operator csi-driver-controller cluster-version-operator marketplace-operator olm-operator catalog-operator service-ca oauth-openshift network-operator storage-operator tuned node-resolver'.split(
    ' ',
  )

export const VERBS =
  'creating updating deleting syncing reconciling watching listing patching resolving draining starting stopping mounting unmounting pulling pushing scaling evicting binding probing validating applying waiting retrying'.split(
    ' ',
  )

/** Each of these is frequent alone: phrases made of them are rare or absent (what plain trigrams can't tell apart). */
export const WORDS =
  'failed create created pod sandbox container network attach connect connection route host node timeout timed waiting error warning volume mount claim persistent storage class secret config map service account endpoint slice token certificate signed request response status ready condition degraded available progressing progress version upgrade update rollout revision replica deployment daemon set stateful job cron image pull push layer manifest registry mirror cache digest operator controller manager leader election lease renew heartbeat monitor alert metric rule scrape target query series sample chunk index segment compaction snapshot backup restore member peer proposal commit log entry term raft quorum health probe liveness readiness startup restart backoff crash loop evict taint toleration affinity priority preempt schedule bind cluster machine provider cloud zone region subnet gateway load balancer listener rule group security policy role binding subject permission forbidden denied allowed audit webhook admission mutate validate schema field value default invalid missing unknown expected actual observed generation resource quota limit usage memory cpu disk pressure inode bytes file path directory open close read write sync flush rename delete remove exists found empty null nil pointer address port socket listen accept dial proxy tunnel header body payload content type length stream reader buffer queue worker thread routine context cancel deadline exceeded retry attempt interval period jitter window rate throttle burst budget disruption drain cordon reboot boot kernel module driver device plugin interface bridge veth vlan bond route table chain accept drop masquerade conntrack flow tunnel encap overlay underlay'
    .split(' ')
    .filter((word, at, all) => all.indexOf(word) === at)

/** Names of public Kubernetes and OpenShift tests, as ginkgo prints them. */
export const TESTS: readonly string[] = [
  '[sig-arch] Managed cluster should have no crashlooping pods in core namespaces over four minutes',
  '[sig-network] NetworkPolicy [LinuxOnly] NetworkPolicy between server and client should enforce updated policy [Feature:NetworkPolicy]',
  '[sig-storage] In-tree Volumes [Driver: cinder] [Testpattern: Inline-volume (ext3)] volumes should store data',
  '[sig-storage] In-tree Volumes [Driver: aws] [Testpattern: Dynamic PV (block volmode)(allowExpansion)] volume-expand Verify if offline PVC expansion works',
  '[sig-storage] PersistentVolumes NFS with Single PV - PVC pairs should create a non-pre-bound PV and PVC: test write access',
  '[sig-apps] CronJob should set the cronjob-scheduled-timestamp annotation on a job',
  '[sig-apps][Feature:DeploymentConfig] deploymentconfigs adoption will orphan all RCs and adopt them back when recreated',
  '[sig-instrumentation] Prometheus when installed on the cluster should have important platform topology metrics',
  '[sig-cli] oc explain should contain proper spec+status for CRDs [Suite:openshift/conformance/parallel]',
  '[sig-node] Pods Extended Pod Container Status should never report success for a pending container',
  '[sig-node] Probing container should override timeoutGracePeriodSeconds when LivenessProbe field is set [Feature:ProbeTerminationGracePeriod]',
  '[sig-api-machinery] Servers with support for API chunking should return chunks of results for list calls',
  '[sig-scheduling] SchedulerPreemption [Serial] validates basic preemption works',
  '[sig-auth][Feature:ProjectAPI]  TestProjectWatch should succeed',
  '[sig-network] Services should be able to change the type from ExternalName to ClusterIP',
  '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a configMap',
]
