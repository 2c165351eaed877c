// Every state that a page outside the console can be in, as a person may meet it: empty, full, failed, with hostile and very long names.
import { type Scope, scopes } from '@wds/contracts/scopes'
import { type InvitationView, invitationDocument } from '../../services/api/src/sub-affiliates/invitation-document.ts'
import { accountPage } from '../../services/auth/src/pages/account-page.ts'
import { type ConsentModel, consentPage } from '../../services/auth/src/pages/consent-page.ts'
import { heldErrorPage } from '../../services/auth/src/pages/held-error-page.ts'
import { type InvitationModel, invitationPage } from '../../services/auth/src/pages/invitation-page.ts'
import { messagePage } from '../../services/auth/src/pages/message-page.ts'
import { type PasswordModel, passwordPage } from '../../services/auth/src/pages/password-page.ts'
import { type SignInModel, signInPage } from '../../services/auth/src/pages/sign-in-page.ts'

/** Markup, attribute breaks, an override of the writing direction, a zero-width space. */
export const hostileName = `"><script>document.title='hit'</script><img src=x onerror="x">\u202egnp.exe\u200b'`
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik und Töchter Beteiligungsverwaltung'
const rightToLeft = 'شركة التسويق بالعمولة'

const requestId = 'req_01KADSG5WZ4BX4TQ5H2J9M7C3N'
const form = { action: '/posted', hidden: { token: 'a-token' } }
const ada = { name: 'Ada Lovelace', email: 'ada@northwind.example' }
const href = '/sign-in?return_to=%2F'

const signIn: SignInModel = { form, email: '', failure: null, appName: null, providers: [] }
const providers = [
  { name: 'Okta', href: '/sign-in/upstream/okta' },
  { name: 'Microsoft', href: '/sign-in/upstream/microsoft' },
]

const invitation: InvitationModel = {
  form,
  workspaceName: 'Northwind Media',
  inviterName: 'Grace Hopper',
  role: 'admin',
  person: null,
  signInHref: href,
  name: '',
  email: '',
  errors: [],
  providers: [],
}
const passwordErrors = [
  { field: 'new_password', message: 'This password is one of those that are guessed first. Choose another.' },
  { field: 'new_password_again', message: 'The two passwords are not the same.' },
] as const

const password: PasswordModel = {
  kind: 'change',
  form,
  email: ada.email,
  errors: [],
  connected: [],
  apps: [],
  keys: 0,
}

const consent: ConsentModel = {
  form,
  app: { name: 'Ledgerline', logoPath: '/logos/app.png', ownerWorkspaceName: 'Ledgerline GmbH', development: false },
  redirectUrl: 'https://app.ledgerline.example/oauth/callback',
  person: ada,
  notYouHref: href,
  workspaceName: 'Northwind Media',
  otherWorkspaces: [],
  scopes: ['stats:read', 'campaigns:read', 'campaigns:write'],
  leftOut: [],
  refusal: null,
}
const many = Array.from({ length: 25 }, (_, n) => ({ name: `Workspace ${n + 1}`, href: `/consent?workspace=${n}` }))
const readScopes: Scope[] = scopes.filter((scope) => scope.endsWith(':read'))

const subAffiliateInvitation: InvitationView = {
  state: 'open',
  workspaceName: 'Northwind Media',
  expiresMs: Date.UTC(2026, 11, 8, 14, 2),
  requestId,
}

const here = {
  browser: 'Firefox on Linux',
  address: '203.0.113.7',
  created: new Date(0),
  lastUsed: new Date(0),
  end: null,
}
const elsewhere = { ...here, browser: hostileName, address: null, end: form }

/** Name of the state → its document. */
export const states: Readonly<Record<string, string>> = {
  'sign-in': signInPage(signIn),
  'sign-in-for-app': signInPage({ ...signIn, appName: 'Ledgerline', providers }),
  'sign-in-failed': signInPage({ ...signIn, email: ada.email, failure: 'wrong', providers: providers.slice(0, 1) }),
  'sign-in-upstream-failed': signInPage({ ...signIn, failure: 'upstream', providers }),
  'sign-in-upstream-unknown': signInPage({ ...signIn, failure: 'upstream_unknown', providers }),
  'sign-in-hostile': signInPage({
    ...signIn,
    email: hostileName,
    failure: 'too_many_failures',
    appName: hostileName,
    providers: [{ name: hostileName, href }],
  }),
  invitation: invitationPage({ ...invitation, providers }),
  'invitation-failed': invitationPage({
    ...invitation,
    inviterName: null,
    workspaceName: longName,
    name: 'Ada',
    email: 'ada@',
    errors: [{ field: 'email', message: 'Enter a mail address, such as name@example.com.' }, ...passwordErrors],
  }),
  'invitation-signed-in': invitationPage({ ...invitation, role: 'viewer', person: ada }),
  'invitation-hostile': invitationPage({
    ...invitation,
    workspaceName: hostileName,
    inviterName: hostileName,
    name: hostileName,
    email: hostileName,
  }),
  'sub-affiliate-invitation': invitationDocument(subAffiliateInvitation),
  'sub-affiliate-invitation-hostile': invitationDocument({ ...subAffiliateInvitation, workspaceName: hostileName }),
  'sub-affiliate-invitation-long-name': invitationDocument({ ...subAffiliateInvitation, workspaceName: longName }),
  'sub-affiliate-invitation-replaced': invitationDocument({ ...subAffiliateInvitation, state: 'replaced' }),
  'password-change': passwordPage({ ...password, connected: ['Okta'], apps: ['Sync'], keys: 1 }),
  'password-failed': passwordPage({
    ...password,
    errors: [{ field: 'current_password', message: 'This is not your current password.' }, ...passwordErrors],
  }),
  'password-forgotten': passwordPage({
    ...password,
    kind: 'forgotten',
    connected: ['Okta', hostileName],
    apps: ['Sync', hostileName],
    keys: 3,
  }),
  consent: consentPage(consent),
  'consent-webhooks-many-workspaces': consentPage({ ...consent, scopes, otherWorkspaces: many }),
  'consent-left-out': consentPage({
    ...consent,
    scopes: readScopes,
    leftOut: scopes.filter((scope) => !readScopes.includes(scope)),
    refusal: 'role',
  }),
  'consent-development': consentPage({
    ...consent,
    app: { ...consent.app, development: true },
    refusal: 'development',
    redirectUrl: 'http://localhost:8123/callback',
  }),
  'consent-long-names': consentPage({
    ...consent,
    app: { name: longName.slice(0, 50), logoPath: null, ownerWorkspaceName: longName, development: false },
    redirectUrl: `https://${'sehr-lange-'.repeat(5)}x.${'bücher'.repeat(7)}.example:8443/x`,
    person: { name: longName, email: `${'ada.'.repeat(20)}@northwind.example` },
    workspaceName: longName,
    otherWorkspaces: [{ name: longName, href }],
  }),
  'consent-right-to-left': consentPage({
    ...consent,
    app: { ...consent.app, name: rightToLeft, ownerWorkspaceName: rightToLeft },
    person: { ...ada, name: 'עדה לאבלייס' },
    workspaceName: rightToLeft,
    otherWorkspaces: [{ name: rightToLeft, href }],
  }),
  'consent-hostile': consentPage({
    ...consent,
    app: {
      name: hostileName,
      logoPath: `/logos/app.png?${hostileName}`,
      ownerWorkspaceName: hostileName,
      development: false,
    },
    person: { name: hostileName, email: hostileName },
    workspaceName: hostileName,
    otherWorkspaces: [{ name: hostileName, href }],
  }),
  error: messagePage({
    title: 'This app cannot be opened',
    text: [
      'The address that the app gave for the way back is not one that it has registered with us. So we do not send you there.',
      'You have done nothing wrong. Please tell the makers of the app.',
    ],
    requestId,
  }),
  'error-held': heldErrorPage({
    app: { name: hostileName, ownerWorkspaceName: consent.app.ownerWorkspaceName },
    location: 'https://ledgerline.example/callback?error=invalid_scope',
    description: 'scope is not registered for this app',
    requestId,
  }),
  expired: messagePage({
    title: 'This page has run out',
    text: ['To decide takes ten minutes at most. Please go back to the app and begin again.'],
    link: { text: 'Sign in', href },
    requestId,
  }),
  account: accountPage({
    person: ada,
    workspaceName: 'Northwind Media',
    consoleHref: '/',
    passwordHref: '/password',
    connected: [],
    providers: [],
    sessions: [here],
    endOthers: null,
    signOut: form,
  }),
  'account-upstream': accountPage({
    person: ada,
    workspaceName: 'Northwind Media',
    consoleHref: '/',
    passwordHref: '/password',
    connected: [
      {
        name: 'Okta',
        issuer: 'example.okta.com',
        account: 'ada@example.com',
        created: new Date(0),
        lastUsed: new Date(0),
        disconnect: form,
      },
    ],
    providers: [{ name: 'Microsoft', connectHref: '/sign-in/upstream/microsoft?link=1' }],
    sessions: [here, elsewhere],
    endOthers: form,
    signOut: form,
  }),
  'upstream-not-joined': messagePage({
    title: 'You have not joined yet',
    text: [
      'There is an account with your mail address. Sign in with its password to join, and connect this way to sign in afterwards.',
    ],
    link: { text: 'Back to the invitation', href },
  }),
  'upstream-taken': messagePage({
    title: 'That account belongs to somebody else here',
    text: ['Nothing was changed. Choose another account there, or sign in with it instead.'],
    link: { text: 'Your account', href },
  }),
  'upstream-sign-in-again': messagePage({
    title: 'Sign in again first',
    text: [
      'You signed in more than ten minutes ago. How you sign in, and where you are signed in, is changed only soon after you did.',
    ],
    link: { text: 'Sign in again', href: '/sign-in?return_to=%2Fsign-in' },
  }),
  'account-only-way-in': accountPage({
    person: ada,
    workspaceName: 'Northwind Media',
    consoleHref: '/',
    passwordHref: '/password',
    connected: [
      {
        name: hostileName,
        issuer: 'idp.example.test',
        account: hostileName,
        created: new Date(0),
        lastUsed: null,
        disconnect: null,
      },
    ],
    providers: [],
    sessions: [here],
    endOthers: null,
    signOut: form,
  }),
  'account-no-workspace': accountPage({
    person: ada,
    workspaceName: null,
    consoleHref: '/',
    passwordHref: '/password',
    connected: [],
    providers: [],
    sessions: [here],
    endOthers: null,
    signOut: form,
  }),
}
