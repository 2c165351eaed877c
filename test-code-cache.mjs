// Preloaded into the test runner and its workers. Jest compiles each module anew for every suite: here a worker keeps what V8 made of a
// source and gives it back, of the tests and of the runner itself. A source that changed is another key.
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
  // A test has set a flag of V8, which takes no code from before then.
  if (compiled.cachedDataRejected) known.delete(source)
  return compiled
}

vm.SourceTextModule = new Proxy(SourceTextModule, {
  construct(Module, [source, options]) {
    const known = codesOf('module')
    const cachedData = known.get(source)
    try {
      if (cachedData) return new Module(source, { ...options, cachedData })
    } catch (error) {
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error
    }
    const made = new Module(source, options)
    known.set(source, made.createCachedData())
    return made
  },
})
