// Files of the repository that readers of the site need as files: programs to copy, requests to test with, a collection to import.
const folder = 'packages/docs/snippets/verify-signature'
const receivers = ['receiver.mjs', 'receiver.py']
const recipes = ['verify.mjs', 'verify.py', 'verify.go', 'VerifyWebhook.java', 'verify.rb', 'verify.php', 'verify.sh']

/** Address below the site's root by path from the root of the repository. */
export const downloads: ReadonlyMap<string, string> = new Map([
  ...[...receivers, ...recipes, 'rust/verify.rs', 'csharp/VerifyWebhook.cs'].map(
    (name) => [`${folder}/${name}`, `files/${name.replace(/^.*\//, '')}`] as const,
  ),
  ['packages/webhook-signature/vectors.json', 'files/vectors.json'],
  ['packages/docs/reference/postman-collection.json', 'files/postman-collection.json'],
])

/** What a page names by its source, and another page of the site shows. */
export const shownBy: ReadonlyMap<string, string> = new Map([
  ['services/api/openapi.generated.json', 'api/'],
  ['packages/event-log/asyncapi.generated.json', 'event-log/'],
])
