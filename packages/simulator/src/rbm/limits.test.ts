import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { card, hello, type Partner, person, startPartner } from './testing.ts'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.close())

const reply = { reply: { text: 'Yes', postbackData: 'y' } }
const action = (row: object) => ({ action: { text: 'Go', postbackData: 'g', ...row } })
const text = (content: object) => ({ contentMessage: { text: 'Hello', ...content } })
const standalone = (content: object, row: object = {}) => ({
  contentMessage: { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: content, ...row } } },
})
const carousel = (cardContents: object[], cardWidth = 'MEDIUM') => ({
  contentMessage: { richCard: { carouselCard: { cardWidth, cardContents } } },
})
const tall = { ...card, media: { ...card.media, height: 'TALL' } }
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)
const hour = 3_600_000
const later = (ms: number) => new Date(Date.now() + ms).toISOString()

test.each([
  ['the longest text', text({ text: 'a'.repeat(3072) })],
  ['characters, not units', text({ text: '🪔'.repeat(3072) })],
  ['eleven suggestions', text({ suggestions: times(11, reply) })],
  [
    'the longest card',
    standalone({ title: 'a'.repeat(200), description: 'b'.repeat(2000), suggestions: times(4, reply) }),
  ],
  ['a card of media', standalone({ media: card.media })],
  ['a horizontal card', standalone(card, { cardOrientation: 'HORIZONTAL', thumbnailImageAlignment: 'RIGHT' })],
  ['ten cards', carousel(times(10, card), 'SMALL')],
  ['the longest life', { ...hello, ttl: `${15 * 24 * 3600}s` }],
  ['an instant', { ...hello, expireTime: later(hour) }],
  ['a file', { contentMessage: { contentInfo: { fileUrl: 'https://x.example/a.pdf', forceRefresh: true } } }],
  ['dialing', text({ suggestions: [action({ dialAction: { phoneNumber: '+918047181000' } })] })],
  [
    'a webview',
    text({
      suggestions: [
        action({ openUrlAction: { url: 'https://x.example', application: 'WEBVIEW', webviewViewMode: 'TALL' } }),
      ],
    }),
  ],
  [
    'a place',
    text({
      suggestions: [action({ viewLocationAction: { latLong: { latitude: 12.9, longitude: 77.5 }, label: 'Shop' } })],
    }),
  ],
  ['sharing the place', text({ suggestions: [action({ shareLocationAction: {} })] })],
  [
    'an appointment',
    text({
      suggestions: [
        action({ createCalendarEventAction: { startTime: later(hour), endTime: later(2 * hour), title: 'Visit' } }),
      ],
    }),
  ],
])('%s is accepted', async (_name, message) => {
  expect(await partner.send(message)).toMatchObject({ status: 200 })
})

test.each([
  ['no content', {}, 'contentMessage is required'],
  ['two contents', text({ contentInfo: { fileUrl: 'https://x.example/a' } }), 'exactly one of'],
  ['an empty text', text({ text: '' }), 'contentMessage.text is required'],
  ['a long text', text({ text: 'a'.repeat(3073) }), 'at most 3072 characters long, and has 3073'],
  [
    'a large message',
    text({ text: 'x', suggestions: times(11, { reply: { text: 'Y', postbackData: 'y'.repeat(30_000) } }) }),
    'at most 256000',
  ],
  ['twelve suggestions', text({ suggestions: times(12, reply) }), 'at most 11 entries, and has 12'],
  ['a long label', text({ suggestions: [{ reply: { text: 'a'.repeat(26), postbackData: 'y' } }] }), 'at most 25'],
  [
    'a long postback',
    text({ suggestions: [{ reply: { text: 'a', postbackData: 'y'.repeat(2049) } }] }),
    'at most 2048',
  ],
  ['no postback', text({ suggestions: [{ reply: { text: 'a' } }] }), 'postbackData is required'],
  ['a withdrawn action', text({ suggestions: [action({ composeAction: {} })] }), 'no longer supported'],
  [
    'two actions',
    text({ suggestions: [action({ shareLocationAction: {}, dialAction: { phoneNumber: '+9180' } })] }),
    'exactly one of',
  ],
  ['a national number', text({ suggestions: [action({ dialAction: { phoneNumber: '080471' } })] }), 'E.164'],
  ['a bad URL', text({ suggestions: [action({ openUrlAction: { url: 'shop' } })] }), 'valid http'],
  [
    'a long URL',
    text({ suggestions: [action({ openUrlAction: { url: `https://x.example/${'a'.repeat(2048)}` } })] }),
    'at most 2048',
  ],
  [
    'a webview without a mode',
    text({ suggestions: [action({ openUrlAction: { url: 'https://x.example', application: 'WEBVIEW' } })] }),
    'webviewViewMode is required',
  ],
  [
    'a long title of an appointment',
    text({
      suggestions: [
        action({ createCalendarEventAction: { startTime: later(1), endTime: later(hour), title: 'a'.repeat(101) } }),
      ],
    }),
    'at most 100',
  ],
  [
    'an appointment that ends first',
    text({
      suggestions: [action({ createCalendarEventAction: { startTime: later(hour), endTime: later(1), title: 'a' } })],
    }),
    'after startTime',
  ],
  [
    'a latitude off the globe',
    text({ suggestions: [action({ viewLocationAction: { latLong: { latitude: 91, longitude: 0 } } })] }),
    'between -90 and 90',
  ],
  ['an empty card', standalone({ suggestions: [reply] }), 'a title, a description or media'],
  ['a long title', standalone({ title: 'a'.repeat(201) }), 'at most 200'],
  ['a long description', standalone({ description: 'a'.repeat(2001) }), 'at most 2000'],
  ['five suggestions on a card', standalone({ title: 'a', suggestions: times(5, reply) }), 'at most 4 entries'],
  ['no orientation', standalone(card, { cardOrientation: undefined }), 'cardOrientation must be one of'],
  [
    'a horizontal card without alignment',
    standalone(card, { cardOrientation: 'HORIZONTAL' }),
    'thumbnailImageAlignment is required',
  ],
  ['media without height', standalone({ media: { contentInfo: card.media.contentInfo } }), 'height must be one of'],
  ['one card', carousel([card]), 'must have 2 to 10 entries, and has 1'],
  ['eleven cards', carousel(times(11, card)), 'must have 2 to 10 entries'],
  ['tall media on small cards', carousel([card, tall], 'SMALL'), 'cardContents[1].media.height must not be TALL'],
  ['an unknown file', { contentMessage: { uploadedRbmFile: { fileName: 'files/1' } } }, 'names no file'],
  ['both expiries', { ...hello, ttl: '5s', expireTime: later(hour) }, 'must not both be given'],
  ['a ttl without unit', { ...hello, ttl: '600' }, 'a duration such as'],
  ['a ttl of nothing', { ...hello, ttl: '0s' }, 'must be positive'],
  ['a ttl over 15 days', { ...hello, ttl: `${15 * 24 * 3600 + 1}s` }, 'exceeds 15 days'],
  ['an expiry in the past', { ...hello, expireTime: later(-hour) }, 'in the future'],
  ['no traffic type', { ...hello, messageTrafficType: undefined }, 'is required for an agent of use case MULTI_USE'],
  ['an unknown traffic type', { ...hello, messageTrafficType: 'ADVERT' }, 'must be one of'],
  ['an unknown field', { ...hello, priority: 1 }, 'Unknown name "priority"'],
])('%s is rejected', async (_name, message, words) => {
  const { status, body } = await partner.send(message)
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(words) } },
  })
})

test.each([
  ['TRANSACTIONAL', 'PROMOTION', 400],
  ['TRANSACTIONAL', 'TRANSACTION', 200],
  ['TRANSACTIONAL', 'ACKNOWLEDGEMENT', 200],
  ['PROMOTIONAL', 'TRANSACTION', 400],
  ['OTP', 'AUTHENTICATION', 200],
  ['OTP', undefined, 200],
])('an agent for %s that sends %s gets %i', async (useCase, messageTrafficType, status) => {
  partner.control.changeAgent(partner.agentId, { useCase })
  expect((await partner.send({ ...hello, messageTrafficType })).status).toBe(status)
  partner.control.changeAgent(partner.agentId, { useCase: 'MULTI_USE' })
})

test.each([
  ['a messageId that is no UUID', `phones/+${person}/agentMessages?messageId=7&agentId=X`],
  ['no messageId', `phones/+${person}/agentMessages?agentId=X`],
  ['a national number', `phones/98123/agentMessages?messageId=${randomUUID()}&agentId=X`],
  ['no agent', `phones/+${person}/agentMessages?messageId=${randomUUID()}`],
])('%s is rejected', async (_name, path) => {
  expect((await partner.call(`POST asia/v1/${path.replace('X', partner.agentId)}`, hello)).status).toBe(400)
})
