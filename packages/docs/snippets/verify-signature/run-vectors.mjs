// Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
import { readFileSync } from 'node:fs'
import { verify } from './verify.mjs'

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const [name, secret, header, body, now] = line.split('|')
  const isAccepted = verify(secret, Buffer.from(header, 'base64').toString(), Buffer.from(body, 'base64'), Number(now))
  process.stdout.write(`${name} ${isAccepted ? 'accepted' : 'refused'}\n`)
}
