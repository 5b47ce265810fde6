import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { startStack } from './support/stack.ts'
import { buildLine, receive, chatOf, setConversation } from '@carillon/server/modules/conversations/test-inbox'
test('dev', { timeout: 6_000_000 }, async () => {
const stack = await startStack({}, {}, {})
const { cast, database } = stack
await database.systemPool.query(`update account_permissions set modules = modules || '{chat}' where false`).catch(() => {})
const wa = await buildLine(database, cast.manager as never, 'whatsapp')
const sms = await buildLine(database, cast.manager as never, 'sms')
const rcs = await buildLine(database, cast.manager as never, 'rcs')
await database.systemPool.query(`update senders set name='Acme Retail Support' where id=$1`, [wa.senderId])
await database.systemPool.query(`update senders set name='Acme SMS' where id=$1`, [sms.senderId])
await database.systemPool.query(`update senders set name='Acme RCS' where id=$1`, [rcs.senderId])
const people: [string, string, typeof wa, number, string[]][] = [
  ['919820455173', 'Meera Nair', wa, 41, ['Hi', 'The blue kurta, can I change it from M to L?']],
  ['919820455174', 'Farhan Sheikh', wa, 68, ['Where is my order?', 'It was to arrive yesterday']],
  ['919820455175', 'Lakshmi Iyer', wa, 112, ['Box arrived open']],
  ['919820455176', 'Devika Rao', wa, 304, ['When do I get my refund?']],
  ['919820455177', 'Sandeep Yadav', wa, 662, ['Please send the invoice']],
  ['919820455178', 'Harpreet Kaur', wa, 1300, ['Mera order kab aayega?']],
  ['919820455179', 'Joseph Dias', wa, -60, ['Ok, will check and revert']],
  ['919820455180', '<img src=x onerror=alert(1)>', wa, 900, ['<script>alert(1)</script> javascript:alert(1) http://example.com/a?b=1 *bold* \u202eevil', 'e' + '\u0301'.repeat(4096), 'שלום, מתי תגיע ההזמנה שלי? 48213']],
  ['919004011827', '', sms, 0, ['Pickup booked for 4 Nov, 11 am']],
  ['919004011828', 'Imran Qureshi', rcs, 0, ['Change slot']],
]
for (const [from, name, line, minutes, texts] of people) {
  for (const text of texts) await receive(database, line, { from, text })
  const id = chatOf({ ...line, identity: from } as never)
  const { rows } = await database.systemPool.query('select id from conversations where sender_id=$1 and identity=$2', [line.senderId, from])
  const chat = rows[0]?.id ?? id
  if (name) await database.systemPool.query(`update contact_identities set name=$3 where organization_id=$1 and identity=$2`, [line.organizationId, from, name]).catch((e) => console.error(e.message))
  if (line === wa) await setConversation(database, chat, { window_expires_at: new Date(Date.now() + minutes * 60000) })
}
// a long thread
for (let i = 0; i < 120; i++) await receive(database, wa, { from: '919820455178', text: `Message ${i}`, at: new Date(Date.now() - (130 - i) * 60000) })
console.log(stack.url)
writeFileSync('/tmp/dev.json', JSON.stringify({ url: stack.url, wa, sms, rcs, db: stack.url, pg: (stack as unknown as { url: string }).url, sim: stack.simulator.httpPort }))

  while (!existsSync('/tmp/dev.stop')) await new Promise((r) => setTimeout(r, 500))
  await stack.close()
})
