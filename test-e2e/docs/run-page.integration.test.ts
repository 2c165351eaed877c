// A page is run with another port where it means one, and as it stands everywhere else.
import { expect, test } from '@jest/globals'
import { runPage } from './run-page.ts'

const block = (info: string, ...lines: string[]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')

test('regression: 3000 is another port where the reader listens, and any other 3000 stays', async () => {
  const page = [
    block('sh file=other.mjs', "server.listen(3000, '127.0.0.1', () => console.log('listening on port 3000'))"),
    block('sh', `echo http://localhost:3000/webhooks '("127.0.0.1", 3000)' http.server 3000; cat other.mjs`),
    block(
      'text output',
      'http://localhost:4711/webhooks ("127.0.0.1", 4711) http.server 4711',
      "server.listen(4711, '127.0.0.1', () => console.log('listening on port 4711'))",
    ),
    block('sh', 'expr 1500 + 1500; echo 13000, 30001'),
    block('text output', '3000', '13000, 30001'),
  ]
  await runPage(page.join('\n\n'), { env: {}, port: 4711 })
})

test('a page whose output differs is refused with the line of its block', async () => {
  const page = [block('sh', 'echo 3000'), block('text output', '4711')].join('\n\n')
  await expect(runPage(page, { env: {}, port: 4711 })).rejects.toThrow('line 6: shown: 4711')
})
