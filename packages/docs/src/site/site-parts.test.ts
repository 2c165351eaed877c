// Plants what the build of the site must find or mend, and sees each.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { blocksOf } from '../pages/read-page.ts'
import { checkLinks } from './check-links.ts'
import { downloads } from './downloads.ts'
import { finishHtml } from './finish-html.ts'
import { llmsText } from './llms.ts'
import { prepareMarkdown } from './prepare-markdown.ts'
import { cutTitle, firstSentence, placeFiles } from './source-pages.ts'
import { versionText } from './version.ts'

describe('Markdown of the repository becomes Markdown of the site', () => {
  const pages = new Map([
    ['packages/docs/how-to/b.md', 'how-to/b/'],
    ['packages/docs/runbook/README.md', 'runbook/'],
    ['packages/webhook-signature/vectors.json', 'files/vectors.json'],
  ])
  const prepared = (text: string) =>
    prepareMarkdown(text, {
      path: 'packages/docs/how-to/a.md',
      base: '/docs/',
      addressOf: (path) => pages.get(path) ?? null,
    })

  test.each([
    ['[b](b.md#part)', '[b](/docs/how-to/b/#part)'],
    ['[all](../runbook)', '[all](/docs/runbook/)'],
    ['[`code`](../runbook/README.md)', '[`code`](/docs/runbook/)'],
    ['[here](#part), [out](https://example.com)', '[here](#part), [out](https://example.com)'],
    ['[the main](../../../services/api/src/main.ts)', 'the main (`services/api/src/main.ts`)'],
    ['[`src/main.ts`](../src/main.ts)', '`packages/docs/src/main.ts`'],
    ['a <name> and `<name>`, one<br>two', 'a &lt;name> and `<name>`, one<br>two'],
    ['```\n[b](b.md) <x>\n```\n[b](b.md)', '```\n[b](b.md) <x>\n```\n[b](/docs/how-to/b/)'],
    [
      '1. Do:\n\n   ```sh\n   cat <<END <!-- a --> [b](b.md)\n   ```\n',
      '1. Do:\n\n   ```sh\n   cat <<END <!-- a --> [b](b.md)\n   ```\n',
    ],
    [
      '1. Do:\n\n   <!-- from: x.py -->\n   ```py\n   if a:\n       b()\n   ```\n',
      '1. Do:\n\n   ```py\n   if a:\n       b()\n   ```\n',
    ],
    ['<!-- from: x.mjs -->\n```js\n<!-- a -->\n```', '```js\n<!-- a -->\n```'],
    ['| [b](b.md) | `a` |', '| [b](/docs/how-to/b/) | `a` |'],
    ['[a file](../../webhook-signature/vectors.json)', '[a file](/docs/files/vectors.json)'],
    ['```js file=a.mjs\n1\n```', '```js title="a.mjs"\n1\n```'],
    ['```js file=a.mjs terminal=app\n1\n```', '```js title="a.mjs" terminal=app\n1\n```'],
  ])('%j', (text, wanted) => {
    expect(prepared(text)).toBe(wanted)
  })

  test('regression: the code of every page comes to the site as it stands in the repository, also within lists', () => {
    const root = join(import.meta.dirname, '../../../..')
    const changed = [...placeFiles(root).keys()].flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8')
      const [kept, made] = [source, prepareMarkdown(source, { path, base: '/docs/', addressOf: () => null })].map(
        (text) => [...blocksOf(text)].map((block) => block.text),
      )
      return (kept ?? []).flatMap((text, nth) => (text === made?.[nth] ? [] : [`${path}: ${text}`]))
    })
    expect(changed).toEqual([])
  })

  test('the title is cut out, and the first sentence of the prose describes the page', () => {
    const { title, body } = cutTitle('# A `page`\n\n> no\n\nIt [leads](x.md) on. More.\n', 'a.md')
    expect([title, firstSentence(body)]).toEqual(['A page', 'It leads on.'])
    expect(() => cutTitle('no title', 'a.md')).toThrow('a.md has no title')
  })

  test.each([
    [
      '`WDS_KEY_FILE` and `sync.*` of http_csv, *well* and a _Retry_.',
      'WDS_KEY_FILE and sync.* of http_csv, well and a Retry.',
    ],
    ['Here you find it: the API, and `docs.md` 2. More.', 'Here you find it: the API, and docs.md 2.'],
    ['For subscribers. You need:\n\n- x', 'For subscribers.'],
    ['You need the following:\n\n- x', 'You need the following.'],
    ['Status: accepted\n\n## Context\n\nAlerts say little. So.', 'Alerts say little.'],
    ['Date: 2026-11-24\n\n**Context.** Rules look at much. So.', 'Rules look at much.'],
    ['Supersedes [decision 55](a.md).\n\n**Context.** A log lost it.', 'A log lost it.'],
  ])('regression: names keep their marks, and a sentence its end: %j', (text, wanted) => {
    expect(firstSentence(text)).toBe(wanted)
  })

  test('what a page hands out is there, and is served as text', () => {
    for (const path of downloads.keys()) expect(existsSync(join(import.meta.dirname, '../../../..', path))).toBe(true)
  })

  test('regression: llms.txt lists the references that another program makes', () => {
    const page = {
      address: 'reference/errors/',
      title: 'Errors',
      description: 'x',
      body: '',
      group: null,
      isListed: true,
    }
    const text = llmsText([{ ...page, section: 'Reference' }], { base: '/docs/', version: '1' })
    const listed = [...text.matchAll(/^- \[(.+?)\]\((.+?)\): ./gm)].map(([, title, address]) => [title, address])
    expect(listed).toEqual([
      ['API', '/docs/api/'],
      ['Try a call', '/docs/try/'],
      ['Event log', '/docs/event-log/'],
      ['Errors', '/docs/reference/errors/'],
    ])
  })
})

describe('a built page', () => {
  const html =
    '<html><head></head><body><script>go("</p>")</script><script type="module" src="/x.js"></script><p style="--a: 1;" class="b">x</p><pre data-language="sh">x</pre><table><th align="left"></th><td>1</td></table></body></html>'
  const { html: finished, files } = finishHtml(html, '/docs/_astro/')

  test('holds no script and no style, which are files with the same content', () => {
    expect(finished).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=/)
    expect([...files.values()]).toEqual(expect.arrayContaining(['go("</p>")', expect.stringMatching(/\{--a: 1;\}/)]))
    for (const path of files.keys()) expect(finished).toContain(`"${path}"`)
  })

  test('lets what is wide be scrolled by keyboard, and has no head without a word', () => {
    expect(finished).toContain('tabindex="0"><table>')
    expect(finished).toContain('<td align="left"></td>')
    expect(finished).toContain('<pre tabindex="0" role="group" aria-label="Code" data-language="sh">')
  })
})

describe('links of the built site', () => {
  const judged = (html: string) =>
    checkLinks(
      new Map([
        ['/docs/a/', html],
        ['/docs/b/', '<h2 id="part">x</h2>'],
      ]),
      new Set(['/docs/icon.svg']),
      /^\/(?!docs(?:\/|$))/,
    )

  test.each([
    '/docs/b/',
    '/docs/b/#part',
    '../b/',
    '#_top',
    '/docs/icon.svg',
    '/v1/openapi.json',
    'https://example.com/',
  ])('lead somewhere: %s', (to) => {
    expect(judged(`<a href="${to}">x</a>`)).toMatchObject({ faults: [], count: 1 })
  })

  test.each([
    ['<a class="x" href="/docs/c/">x</a>', '/docs/a/: /docs/c/: there is no such page'],
    ['<a href="/docs/b/#gone">x</a>', '/docs/a/: /docs/b/#gone: the page has no such anchor'],
    ['<img src="https://example.com/x.png">', '/docs/a/: https://example.com/x.png: it is loaded from another origin'],
    ['<link rel="stylesheet" href="/docs/x.css">', '/docs/a/: /docs/x.css: there is no such page'],
  ])('lead nowhere: %s', (html, fault) => {
    expect(judged(html).faults).toEqual([fault])
  })
})

test('a page says whether it holds more than the released version', () => {
  const changelog = (unreleased: string) => `# Changelog\n\n## [Unreleased]\n${unreleased}\n## [0.1.0]\n\n- x\n`
  expect(versionText('0.1.0', changelog(''))).toBe('version 0.1.0')
  expect(versionText('0.1.0', changelog('\n- y\n'))).toMatch(/^version 0\.1\.0 and the unreleased changes/)
})
