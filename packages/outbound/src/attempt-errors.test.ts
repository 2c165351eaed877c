import { describe, expect, test } from '@jest/globals'
import { classifyError, isConnectFault, isOurError } from './attempt-errors.ts'

const fault = (code: string) => Object.assign(new Error(code), { code })

describe('whose fault an error is', () => {
  test.each([
    'EADDRNOTAVAIL',
    'EACCES',
    'EPERM',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'ENETDOWN',
    'EHOSTDOWN',
    'EAFNOSUPPORT',
  ])(
    'regression: %s, an address that this machine has no way to, fails the attempt after the other addresses were tried',
    (code) => {
      expect(isOurError(fault(code))).toBe(false)
      expect(isConnectFault(fault(code))).toBe(true)
      expect(classifyError(fault(code))).toBe('connection_failed')
    },
  )

  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED', 'WDS_NO_POOL'])(
    '%s, which no destination brings about, is ours',
    (code) => {
      expect(isOurError(fault(code))).toBe(true)
      expect(isConnectFault(fault(code))).toBe(false)
    },
  )
})
