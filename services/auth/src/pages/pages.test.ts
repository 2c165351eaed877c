import { expect, test } from '@jest/globals'
import { scopeGroups } from '@wds/contracts/scope-words'
import { scopes } from '@wds/contracts/scopes'
import { accountPage } from './account-page.ts'
import { consentPage } from './consent-page.ts'
import { stylesheetPath } from './frame.ts'
import { heldErrorPage } from './held-error-page.ts'
import { invitationPage } from './invitation-page.ts'
import { messagePage } from './message-page.ts'
import { passwordPage } from './password-page.ts'
import { signInPage } from './sign-in-page.ts'

const hostile = `"'><script>alert(1)</script>&amp;`
const form = { action: `/x?${hostile}`, hidden: { token: hostile } }
const person = { name: hostile, email: hostile }
const providers = [{ name: hostile, href: `/sign-in/upstream/${hostile}` }]
const errors = [{ field: 'new_password', message: hostile }] as const

const pages = {
  signInPage: signInPage({ form, email: hostile, failure: 'wrong', appName: hostile, providers }),
  invitationPage: invitationPage({
    form,
    workspaceName: hostile,
    inviterName: hostile,
    role: 'member',
    person: null,
    signInHref: hostile,
    name: hostile,
    email: hostile,
    errors,
    providers,
  }),
  passwordPage: passwordPage({
    kind: 'change',
    form,
    email: hostile,
    connected: [hostile],
    apps: [hostile],
    keys: 2,
    errors,
  }),
  messagePage: messagePage({
    title: hostile,
    text: [hostile],
    link: { text: hostile, href: hostile },
    requestId: hostile,
  }),
  heldErrorPage: heldErrorPage({
    app: { name: hostile, ownerWorkspaceName: hostile },
    location: `https://bücher.example/back?error=${hostile}`,
    description: hostile,
    requestId: hostile,
  }),
  accountPage: accountPage({
    person,
    workspaceName: hostile,
    consoleHref: hostile,
    passwordHref: hostile,
    connected: [
      { name: hostile, issuer: hostile, account: hostile, created: new Date(0), lastUsed: null, disconnect: form },
    ],
    providers: [{ name: hostile, connectHref: hostile }],
    sessions: [{ browser: hostile, address: hostile, created: new Date(0), lastUsed: new Date(0), end: form }],
    endOthers: form,
    signOut: form,
  }),
  consentPage: consentPage({
    form,
    app: { name: hostile, logoPath: hostile, ownerWorkspaceName: hostile, development: false },
    redirectUrl: 'https://bücher.example/back',
    person,
    notYouHref: hostile,
    workspaceName: hostile,
    otherWorkspaces: [{ name: hostile, href: hostile }],
    scopes,
    leftOut: [],
    refusal: null,
  }),
}

test.each(Object.entries(pages))('S24, U15: hostile names stay text on the %s', (_name, made) => {
  expect(made).not.toContain('<script')
  expect(made).toContain('&lt;script&gt;')
})

test.each(Object.entries(pages))(
  'the %s has no script, no style and no address but those of this origin, or the one that it asks about',
  (name, made) => {
    expect(made).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i)
    const elsewhere = made.match(/(?:src|href|action)="(?:https?:|\/\/)/g) ?? []
    expect(elsewhere).toEqual(name === 'heldErrorPage' ? ['href="https:'] : [])
    expect(made).toContain(`href="${stylesheetPath}"`)
  },
)

test('XA33: the pages of consent and of an error show the host of the redirect URL as punycode', () => {
  expect(pages.heldErrorPage).toContain('Go back to xn--bcher-kva.example<')
  expect(pages.consentPage).toContain('xn--bcher-kva.example')
  expect(pages.consentPage).not.toContain('bücher')
})

test('every scope has its words, once', () => {
  const worded = scopeGroups.flatMap((group) => Object.keys(group.lines))
  expect(worded.toSorted()).toEqual([...scopes].sort())
})
