// Texts of the OAuth app pages.
import { counted } from './counts.ts'

export const oauthAppTexts = {
  lead: 'An app acts for people in their workspaces, with the scopes they allow it. Register yours to get a client ID and a secret.',
  register: 'Register an app',
  none: 'No apps yet',
  noneText: 'Register one to let people connect your product to their workspace without sharing a key.',
  caption: 'OAuth apps',
  app: 'App',
  state: 'State',
  scopes: 'Scopes',
  scopesOf: (scopes: readonly string[]) =>
    scopes.length <= 2 ? scopes.join(', ') : `${scopes.slice(0, 2).join(', ')} and ${scopes.length - 2} more`,
  people: 'People',
  lastError: 'Last OAuth error',
  noError: 'none',

  planTitle: 'Apps need the business plan',
  planText: (plan: string) =>
    `An OAuth app lets people of other workspaces allow your product to act for them, without handing out a key. Registering, editing, publishing and new secrets open with the business and enterprise plans; yours is ${plan}. Apps that are there can be deleted, their secrets ended, and what people already allowed goes on.`,
  planNeeded: 'The business plan opens this.',

  about: 'The app',
  name: 'Name',
  nameHint: 'People read it when they decide. 3 to 50 characters, no marks of trust.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG or WebP, at most 1 MiB. It is fitted into a square of 256 pixels.',
  chooseLogo: 'Choose a file',
  logoNeeded: 'An app needs a logo.',
  redirectUrls: 'Redirect URLs',
  redirectUrl: 'Redirect URL',
  redirectHint:
    'Where people come back to. Compared character by character. Live apps need https; in development http on localhost with a port is possible.',
  addUrl: 'Add a URL',
  urlNeeded: 'An app needs a redirect URL.',
  scopesHint: 'The most that the app can ask for. People see these words. Choose what it needs, and no more.',
  scopeNeeded: 'An app needs a scope.',
  stateLegend: 'State',
  live: 'Live',
  liveHint: 'People of every workspace can allow it.',
  development: 'In development',
  developmentHint: 'It acts in this workspace only, until you publish it.',

  preview: 'What people will see',
  previewHint: 'The page on which people decide, as it would be now.',
  wants: 'wants to act in',
  yourApp: 'Your app',
  theirWorkspace: 'their workspace',
  madeBy: 'Made by',
  sendsTo: 'Sends you to',
  asksTo: 'It asks to',
  noScopes: 'Choose a scope to see its words.',
  noHost: 'no URL yet',
  cancel: 'Cancel',
  allow: 'Allow',

  secretTitle: (name: string) => `${name} is registered`,
  clientSecret: 'client secret',
  clientId: 'Client ID',

  settings: 'Settings',
  errors: 'Errors',
  builder: 'Authorise URL',
  tabs: 'Parts of the app',
  facts: 'At a glance',
  created: 'Registered',
  grants: 'Allowed by',
  grantsOf: (people: number, grants: number) =>
    people === 0 ? 'nobody yet' : `${counted(people, 'person', 'people')}, ${counted(grants, 'time')} in all`,

  edit: 'Name, redirect URLs and scopes',
  editHint: 'A scope that you add widens nothing that was allowed. One that you take away is refused at once.',
  changeLogo: 'Save the logo',
  logoSaved: 'The logo is saved',
  saved: 'The app is saved',

  publish: 'Publish',
  publishTitle: 'Publish this app',
  publishHint:
    'From then on, people of every workspace can allow it. All redirect URLs must be on https. This cannot be undone.',
  published: 'The app is live',

  secrets: 'Client secrets',
  secretsHint:
    'What is stored is only what is needed to check a secret: a lost one cannot be shown again, only replaced.',
  secret: 'Secret',
  secretNumber: (nth: number) => `Secret ${nth}`,
  made: 'Made',
  ends: 'Ends',
  open: 'no end',
  lastUsed: 'Last used',
  rotation: {
    action: 'New secret',
    title: 'New secret',
    text: 'Your servers get time to take the new secret: until its end the present one works as well.',
    overlap: 'The present secret ends',
    made: 'The new client secret',
    secret: 'client secret',
  },
  endSecret: 'End now',
  endSecretOf: (nth: number) => `End now: secret ${nth}`,
  endSecretTitle: 'End this secret now?',
  endSecretText:
    'Servers that still use it are refused from then on. Tokens that were handed out go on until they end.',
  secretEnded: 'The secret has ended',

  deletion: {
    action: 'Delete the app',
    hint: 'Its client ID and secrets stop working for good.',
    questionOf: (name: string) => `Delete ${name}?`,
    text: (grants: number) =>
      grants === 0
        ? 'Nobody has allowed it. Its client ID and secrets stop working for good.'
        : `What ${counted(grants, 'grant allows', 'grants allow')} ends at once: tokens are refused within 2 seconds. Client ID and secrets stop working for good.`,
    done: 'The app is deleted',
  },

  errorsHint: 'The last 100 times that this app was refused, with the true reason, which the app itself is not told.',
  noErrors: 'No errors',
  noErrorsText: 'Each time the app is refused, the true reason appears here.',
  errorsCaption: 'OAuth errors',
  when: 'When',
  where: 'Where',
  answered: 'Answered',
  reason: 'Reason',
  requestId: 'Request id',

  builderHint:
    'Try the app as a person would meet it. Everything is made in this browser; nothing is sent or stored. Your app makes new values each time.',
  request: 'The request',
  stateField: 'State',
  stateFieldHint: 'Comes back unchanged. Your app checks that it is the one that it sent.',
  verifier: 'PKCE verifier',
  verifierHint: 'Your app keeps it until the token call, and sends only its hash now.',
  makeAnew: 'Make new values',
  authoriseUrl: 'the address',
  openUrl: 'Open it',
  openHint: 'People sign in, read what the app asks for, and decide.',
  tokenCall: 'the curl command',
  tokenCallTitle: 'Token call',
  tokenNote: 'The secret goes from your server to ours and never into a browser.',
  tokenHint:
    'Within 60 seconds of the redirect, with CODE from the address that the person came back to, and CLIENT_SECRET in your shell.',
  insecure: 'This page is not on https, where browsers make no PKCE challenge.',
  noUrls: 'Choose at least one scope.',
} as const
