import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { excerptOf, splitMatches } from './list/excerpt.ts'
import { initialsOf } from './initials.ts'
import { personName } from './person-name.ts'
import { MessageText } from './thread/message-text.tsx'

/** What customers may send, or call themselves, to break a page. */
const corpus: readonly [string, string][] = [
  ['markup', '<img src=x onerror="alert(1)"><b>bold</b><style>*{display:none}</style>'],
  ['a script', '"><script>alert(1)</script><svg onload=alert(1)>'],
  ['addresses that run code', 'javascript:alert(1) data:text/html,<script>1</script> vbscript:msgbox(1)'],
  ['a right-to-left override', 'invoice \u202efdp.exe\u2066 and \u2069 back'],
  ['4,096 combining marks', '\u0301'.repeat(4096)],
  ['characters without width', 'pay\u200bpal \u200d\u2060\ufeff now'],
  ['a very long word', 'W'.repeat(4096)],
  ['half of a surrogate pair', 'half \ud83d of a pair'],
]

const unescape = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

describe.each(corpus)('%s', (_, text) => {
  test.each(['whatsapp', 'rcs', 'sms'] as const)('is text in a bubble of %s', (channel) => {
    const html = renderToStaticMarkup(createElement(MessageText, { text, channel }))
    expect(unescape(html) === text).toBe(true)
    const tags = [...html.matchAll(/<([a-z]+)/g)].map(([, name]) => name)
    expect(tags.filter((name) => name !== 'span' && name !== 'a')).toEqual([])
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => !/^https?:/.test(address))).toEqual([])
  })

  test('stays whole in names and search results, and short in initials', () => {
    expect(personName({ name: text }) === text).toBe(true)
    expect(initialsOf(text).length).toBeLessThanOrEqual(16)
    const parts = splitMatches(text, 'alert <script')
    expect(parts.map(({ part }) => part).join('') === text).toBe(true)
    expect(excerptOf(text, 'back').length).toBeLessThanOrEqual(170)
    expect(excerptOf(text, 'back').isWellFormed()).toBe(true)
  })
})
