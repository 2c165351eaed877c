// Gives tests ports that no other test takes, whatever runs side by side: a block of them belongs to whoever listens on its first.
// That lock ends with the process, so nothing has to be cleared up after one that was killed.
import { holdPort, isPortFree } from './free-port.ts'
import { LocalInfraError } from './local-infra-error.ts'

/** Ports for what one test starts. */
export interface TestPorts {
  /** One that is free, never the same twice. @throws LocalInfraError when the block is used up. */
  next(): Promise<number>
  /** Gives the block back. */
  release(): void
}

const firstPort = 20_000
// Up to what WDS_SERVICE_PORTS_FROM may be, 31000.
const blocks = 109
const blockSize = 100

/** @throws LocalInfraError when every block is taken. */
export async function takeTestPorts(): Promise<TestPorts> {
  const start = Math.floor(Math.random() * blocks)
  for (let nth = 0; nth < blocks; nth += 1) {
    const lockPort = firstPort + ((start + nth) % blocks) * blockSize
    const release = await holdPort(lockPort)
    if (release !== null) return portsOf(lockPort, release)
  }
  throw new LocalInfraError('Every block of ports for tests is taken.')
}

function portsOf(lockPort: number, release: () => void): TestPorts {
  let last = Promise.resolve(lockPort)
  return {
    next() {
      last = last.then((port) => nextFree(port + 1, lockPort + blockSize))
      return last
    },
    release,
  }
}

async function nextFree(from: number, to: number): Promise<number> {
  for (let port = from; port < to; port += 1) if (await isPortFree(port)) return port
  throw new LocalInfraError(`No port between ${from} and ${to - 1} is free on 127.0.0.1.`)
}
