import type { UncheckedOptions } from './server.ts'

/** Invalid input: wrong types, wrong kinds of body, special property names of JavaScript. */
export const nonsense: [what: string, options: UncheckedOptions][] = [
  ['nothing', {}],
  ['a list', { body: [] }],
  ['null', { body: null }],
  ['a text', { body: 'text' }],
  ['a number', { body: 1e308 }],
  ['names of the language', { body: JSON.parse('{"__proto__":{"id":1},"constructor":1,"toString":null}') as unknown }],
  [
    'wrong kinds everywhere',
    {
      body: Object.fromEntries(
        ['id', 'name', 'body', 'numbers', 'campaignName', 'schedule', 'config', 'isActive', 'channel'].map((key) => [
          key,
          [{}],
        ]),
      ),
      query: { page: '-1', limit: '1e9', status: '[]', search: '\u0000' },
    },
  ],
  [
    'a NUL in its texts',
    {
      body: { campaignName: '\u0000', name: 'a\u0000b', username: '\u0000', email: '\u0000', password: '\u0000' },
      query: { search: 'a\u0000b', query: '\u0000', userId: '\u0000' },
    },
  ],
  ['a type without content', { headers: { 'content-type': 'application/json' } }],
  ['an unknown type', { headers: { 'content-type': 'application/x-unknown' } }],
]
