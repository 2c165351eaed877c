import { expect, test } from '@jest/globals'
import { returnPathOf } from './return-path.ts'

const of = (text: string) => returnPathOf(text, 'https://auth.example.test')

test.each([
  '/oauth/authorize/abc',
  '/oauth/consent/abc?x=1&y=%2F',
  '/invitations/abc',
  '/password',
  '/',
  '/?to=%2Foauth-apps%2Fnew',
  '/w/sample/webhooks?status=failed',
])('a path of ours is gone on to: %s', (path) => expect(of(path)).toBe(path))

test.each([
  ['another address', 'https://evil.test/oauth/consent/a'],
  ['one without a scheme', '//evil.test/oauth/consent/a'],
  ['backslashes', '/\\evil.test/oauth/consent/a'],
  ['a tab that a browser drops', '/\t/evil.test/oauth/consent/a'],
  ['a line break', '/oauth/consent/a\r\nLocation: https://evil.test'],
  ['a leading space', ' /oauth/consent/a'],
  ['a script', 'javascript:alert(1)//oauth/consent/a'],
  ['user information', '/@evil.test/oauth/consent/a'],
  ['steps upwards', '/oauth/consent/../../evil'],
  ['steps upwards, encoded', '/oauth/consent/%2e%2e/%2e%2e/evil'],
  ['two slashes behind steps', '/oauth/consent/../..//evil.test'],
  ['another path of ours', '/v1/session'],
  ['sign-out', '/sign-out'],
  ['a way up from a page', '/w/../v1/session'],
  ['nothing', ''],
  ['no path', 'oauth/consent/a'],
  ['a full-width slash', '/／evil.test/oauth/consent/'],
  ['a fragment', '/oauth/consent/a#x'],
  ['too long', `/oauth/consent/${'a'.repeat(2_048)}`],
])('open redirect: %s is not', (_, text) => expect(of(text)).toBeNull())
