// A program that the tests of `runService` start: it serves nothing and behaves as its first argument says.
import { runService } from '../process.ts'

const mode = process.argv[2]

runService({
  name: 'widgets',
  start: async () => {
    if (mode === 'broken') throw new Error('The port\n is taken.')
    const alive = setInterval(() => undefined, 1_000)
    return {
      port: 4711,
      stop: async () => {
        if (mode === 'stuck') {
          if (process.connected) process.send?.('stopping')
          await new Promise(() => undefined)
        }
        clearInterval(alive)
        process.stderr.write('stopped\n')
      },
    }
  },
})
