import { WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db } from '../../../db/pool.ts'
import { conflict } from '../../../lib/problem.ts'
import { sendSingle } from '../../../modules/messages/index.ts'
import type { ConnectionTest } from '../../../modules/senders/index.ts'
import { listOfAccount } from '../../../modules/templates/index.ts'
import { whatsappReview } from '../review-rules.ts'

/** Sends an approved template without variables: the only message that can be sent to anyone first. */
export async function sendPlainTemplate(
  db: Db,
  { actor, senderId, accountId, displayNumber, phoneNumber }: ConnectionTest,
): Promise<{ messageId: string }> {
  const { organizationId, accountId: payer, scope } = actor
  const template = await findPlainTemplate(db, { organizationId, accountId })
  if (!template)
    throw conflict(
      'No approved template without variables, such as hello_world. Create one, or refresh the templates, then try again',
    )
  const { messageId } = await sendSingle(db, {
    organizationId,
    accountId: payer,
    path: scope.path,
    senderId,
    kind: 'test',
    channel: 'whatsapp',
    phoneNumber,
    header: displayNumber,
    text: template.body,
    category: whatsappReview.rateCategory(template.category),
    content: {
      type: 'template',
      template: { name: template.name, language: { code: template.language }, components: [] },
    },
  })
  return { messageId }
}

/** An approved template without variables; every new account has one. */
async function findPlainTemplate(db: Db, key: { organizationId: string; accountId: string }) {
  for (const { name, language, status, category, content } of await listOfAccount(db, key)) {
    const parsed = WhatsappTemplateContent.parse(content)
    if (status === 'APPROVED' && category !== 'AUTHENTICATION' && isPlain(parsed))
      return { name, language, category, body: parsed.body }
  }
  return undefined
}

function isPlain({ header, body, buttons, cards }: WhatsappTemplateContent): boolean {
  const hasPlainHeader = !header || (header.format === 'TEXT' && !header.text.includes('{{'))
  const hasPlainButtons = buttons.every(
    (button) =>
      button.type === 'QUICK_REPLY' ||
      button.type === 'PHONE_NUMBER' ||
      (button.type === 'URL' && !button.url.includes('{{')),
  )
  return cards.length === 0 && hasPlainHeader && hasPlainButtons && !body.includes('{{')
}
