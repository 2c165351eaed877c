// Preloaded into the test runner and its workers. Jest compiles each module anew for every suite: here a worker keeps what V8 made of a
// source and gives it back, of the tests and of the runner itself. V8 refuses what is not its own, and a source that changed is another key.
import vm from 'node:vm'

const { compileFunction, SourceTextModule } = vm

/** Code of modules by source, of functions by parameters and source: V8 itself compares lengths alone. @type {Map<string, Map<string, Buffer>>} */
const codes = new Map()

/** @param {string} kind */
function codesOf(kind) {
  const known = codes.get(kind) ?? new Map()
  codes.set(kind, known)
  return known
}

vm.compileFunction = (source, parameters, options) => {
  const known = codesOf(`${parameters}`)
  const cachedData = known.get(source)
  const compiled = compileFunction(source, parameters, { ...options, cachedData, produceCachedData: !cachedData })
  if (compiled.cachedData) known.set(source, compiled.cachedData)
  return compiled
}

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const known = codesOf('module')
    const cachedData = known.get(source)
    super(source, { ...options, cachedData })
    if (!cachedData) known.set(source, this.createCachedData())
  }
}
