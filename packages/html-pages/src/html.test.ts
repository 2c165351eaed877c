import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Html, type HtmlValue, html } from './html.ts'

test('S24: text never becomes markup, in an element or in an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const made = html`<p title="${text}">${text}</p>`.toString()
      expect(made.match(/[<>"']/g)?.join('')).toBe('<"">' + '<>')
      expect(unescaped(made)).toBe(`<p title="${text}">${text}</p>`)
    }),
  )
})

test('markup goes in as it is, lists one after the other, nothing for what is not there', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.toString()).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  )
})

test('a value that could become markup is refused: text in a tag, unquoted, or in single quotes; markup in an attribute', () => {
  const text: HtmlValue = 'x onclick=y'
  const markup: Html = html`<b></b>`
  expect(() => html`<p ${text}>`).toThrow(TypeError)
  expect(() => html`<p title=${text}>`).toThrow(TypeError)
  expect(() => html`<p title='${text}'>`).toThrow(TypeError)
  expect(() => html`<p title="${markup}">`).toThrow(TypeError)
  expect(() => html`<p title="${[markup]}">`).toThrow(TypeError)
  expect(html`<input ${html`checked`}>`.toString()).toBe('<input checked>')
})

function unescaped(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
