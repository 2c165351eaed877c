// The globals of a suite are those of V8, as in any other program. Jest's own are a proxy, which each look at `Math`, `Map` or `process` in
// tested code goes through: in a loop that takes ten times as long. What the proxy is for, taking away at the end of a suite what it has
// put there, needs nobody: the globals go as a whole.
import vm from 'node:vm'
import NodeEnvironment from 'jest-environment-node'

/** A worker whose runner was ended has nobody to tell: a test that hangs would keep it for as long as that has time. */
const end = () => process.exit(1)

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default class PlainGlobals extends NodeEnvironment {
  constructor(config, context) {
    const { createContext } = vm
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(config, context)
    } finally {
      vm.createContext = createContext
    }
    if (process.connected) process.on('disconnect', end)
  }

  async teardown() {
    // Who listens keeps the worker from ending by itself.
    process.off('disconnect', end)
    await super.teardown()
  }
}
