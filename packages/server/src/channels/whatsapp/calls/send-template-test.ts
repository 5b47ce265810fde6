import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { conflict } from '../../../lib/problem.ts'
import { sendSingle } from '../../../modules/messages/index.ts'
import { findPlainTemplate, rateCategoryOf } from '../../../modules/templates/index.ts'

export type TemplateTest = {
  actor: UserActor
  senderId: string
  accountId: string
  displayNumber: string
  phoneNumber: string
}

/** Sends the plainest approved template of an account: what anybody may get first. */
export async function sendTemplateTest(
  db: Db,
  { actor, senderId, accountId, displayNumber, phoneNumber }: TemplateTest,
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
    text: template.content.body,
    category: rateCategoryOf(template.category),
    content: {
      type: 'template',
      template: { name: template.name, language: { code: template.language }, components: [] },
    },
  })
  return { messageId }
}
