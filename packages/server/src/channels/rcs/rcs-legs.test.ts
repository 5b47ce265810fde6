import { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoadedLeg } from '../channel.ts'
import { rcsChannel } from './rcs-channel.ts'
import { compileRcs, measureRcs, prepareRcs } from './rcs-legs.ts'

const column = (index: number) => ({ column: index, fallback: '' })

function leg(content: object, variables: object[], more: Partial<LoadedLeg['sender']> = {}): LoadedLeg {
  const ids = { senderId: null, accountId: null, externalId: null, facts: {} }
  return {
    sender: {
      id: 's',
      name: 'Acme',
      headers: ['Acme'],
      isActive: true,
      entityId: null,
      accountId: 'a',
      reviewsTemplates: false,
      facts: {
        verification: 'verified',
        launches: [{ country: 'IN', carrier: 'x', state: 'launched', at: null, note: '' }],
      },
      ...more,
    },
    template: {
      id: 't',
      name: 'offer',
      language: '',
      status: 'APPROVED',
      category: 'PROMOTION',
      content: RcsTemplateContent.parse(content),
      ...ids,
    },
    values: { variables },
  }
}

const text = (textMessageContent: string) => ({ type: 'text_message', textMessageContent })
const prepared = (content: object, variables: object[]) => prepareRcs(leg(content, variables))

test('every value is in the text, whatever its characters; a missing one skips the row', () => {
  const content = prepared(text('Hi {{name}}, code {{code}}'), [column(0), column(1)]).content
  const [render, measure] = [compileRcs(content), measureRcs(content)]
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(value, value, (name, code) => {
      expect(render([name, code])?.content).toEqual({ text: `Hi ${name}, code ${code}` })
      const bytes = Buffer.byteLength(`Hi ${name}, code ${code}`)
      expect(measure([name, code])?.category).toBe(bytes <= 160 ? 'basic' : 'single')
    }),
  )
  expect(render(['Asha', ''])).toBeUndefined()
})

test('the text of cards is that of all of them, from top to bottom', () => {
  const standAlone = { cardTitle: 'Diwali', cardDescription: 'For {{name}}', mediaUrl: 'https://x.example/a.png' }
  const { content } = prepared({ type: 'rich_card_standalone', standAlone }, [column(0)])
  expect(rcsChannel.textOfLeg?.(content)).toBe('Diwali\nFor {{name}}')
})

test('a value in a URL cannot leave its place', () => {
  const suggestions = [{ type: 'open_url', text: 'Track', postbackData: 't', url: 'https://x.example/o?id={{id}}' }]
  const render = compileRcs(prepared({ ...text('Order'), suggestions }, [column(0)]).content)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      const [suggestion] = render([id])?.content.suggestions ?? []
      const { url } = Object(suggestion).action.openUrlAction
      expect(new URL(url).searchParams.get('id')).toBe(id)
      expect(new URL(url).hash).toBe('')
    }),
  )
})

test('the class of a leg is the dearest that any row can have', () => {
  expect(prepared(text('Short'), []).category).toBe('basic')
  expect(prepared(text('Hi {{name}}'), [column(0)]).category).toBe('single')
  expect(prepared(text('Hi {{name}}'), [{ ...column(0), trimTo: 20 }]).category).toBe('basic')
  expect(prepared({ type: 'rich_card_standalone', standAlone: { cardTitle: 'A' } }, []).category).toBe('single')
})

test('a row that exceeds a limit once it is filled is found', () => {
  const card = { type: 'rich_card_standalone', standAlone: { cardTitle: 'Dear {{name}}' } }
  const measure = measureRcs(prepared(card, [column(0)]).content)
  expect(measure(['Asha'])?.problem).toBeUndefined()
  expect(measure(['a'.repeat(200)])?.problem).toBe('too_long')
})

test('promotions are marketing within hours; other messages are neither', () => {
  const promotion = prepared(text('Sale'), [])
  expect(promotion).toMatchObject({ isMarketing: true, isPromotion: true, operatorHours: { start: '10:00' } })
  const { template, ...rest } = leg(text('Code'), [])
  const code = prepareRcs({ ...rest, template: { ...template, category: 'AUTHENTICATION' } })
  expect(code).toMatchObject({ isMarketing: false, isPromotion: false, operatorHours: undefined })
})

test.each([
  [['IN'], {}, 'pass'],
  [['IN', 'US'], {}, 'advice'],
  [['US'], {}, 'blocker'],
  [['IN'], { facts: {} }, 'blocker'],
  [[], { facts: {} }, undefined],
])('a launch for numbers in %j', (countries, sender, level) => {
  const checks = rcsChannel.checkTemplate(leg(text('Sale'), [], sender), { countries })
  expect(checks.find(({ id }) => id === 'launch')?.level).toBe(level)
})

test('an operator that reviews templates sends only those of its bot', () => {
  const [check] = rcsChannel.checkTemplate(leg(text('Sale'), [], { reviewsTemplates: true }), { countries: [] })
  expect(check?.level).toBe('blocker')
})
