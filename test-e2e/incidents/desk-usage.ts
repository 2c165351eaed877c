/** What the desk knows, for people. */
export const deskUsage = [
  'kubectl … get pods [-l …] | get deploy | logs -l app.kubernetes.io/name=<service>,app.kubernetes.io/component=<http|worker> [--tail N] | logs <pod> | exec deploy/<name> -- … dist/main.js <words> | rollout restart deploy/<name> | scale deploy/<name> --replicas=<0|1>',
  'sql <auth|api|catalog|delivery> "<statement>"      as the superuser, in the schema of the service',
  'call <meridian|bluewater> <METHOD> <path> [json]   the public API with the key of that workspace',
  'query "<PromQL>" and alerts                        what Prometheus says',
].join('\n')
